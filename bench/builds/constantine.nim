## constantine's MSM on one thread, told what to do as [sums.rs](sums.rs) is, for `compare.py beside`. Lies in `benchmarks/` of a
## copy of constantine (<https://github.com/mratsim/constantine>), where Nim and clang compile it as its own benchmarks:
##
##     nim c --cc:clang -d:danger --panics:on -d:noSignalHandler --mm:arc -d:useMalloc --passC:-fno-semantic-interposition \
##         --passC:-falign-functions=64 --passC:-fmerge-all-constants --outdir:bin benchmarks/constantine.nim

import
  std/[strutils, monotimes, times],
  constantine/named/algebras,
  constantine/named/zoo_subgroups,
  constantine/math/arithmetic,
  constantine/math/extension_fields,
  constantine/math/elliptic/ec_shortweierstrass_affine,
  constantine/math/elliptic/ec_shortweierstrass_jacobian,
  constantine/math/elliptic/ec_multi_scalar_mul,
  constantine/math/elliptic/ec_scalar_mul,
  helpers/prng_unsafe

## Points in rows, as in sums.rs.
const Row = 1024

var rng: RngState
rng.seed(12345'u64)

proc answer(text: string) =
  echo text
  flushFile(stdout)

proc serve[EC](_: typedesc[EC], count: int) =
  var points = newSeq[affine(EC)](count)
  var scalars = newSeq[BigInt[EC.getScalarField().bits()]](count)
  var columns = newSeq[EC](min(Row, count))
  for column in columns.mitems:
    column = rng.random_unsafe(EC)
    column.clearCofactor()
  for first in countup(0, count - 1, Row):
    var row = rng.random_unsafe(EC)
    row.clearCofactor()
    for index, column in columns:
      var point: EC
      point.sum_vartime(row, column)
      points[first + index].affine(point)
  for scalar in scalars.mitems:
    scalar = rng.random_unsafe(typeof(scalar))
  answer("ready")
  for line in stdin.lines:
    var sum: EC
    let start = getMonotime()
    sum.multiScalarMul_vartime(scalars, points)
    let elapsed = inNanoseconds(getMonotime() - start)
    answer(formatFloat(float64(elapsed) / 1e6, ffDecimal, 4))

# prepare CURVE GROUP LOG_SIZE and two words that do not matter here
let words = stdin.readLine().splitWhitespace()
let count = 1 shl parseInt(words[3])
case words[1] & " " & words[2]
of "bls12-381 g1": serve(EC_ShortW_Jac[Fp[BLS12_381], G1], count)
of "bls12-381 g2": serve(EC_ShortW_Jac[Fp2[BLS12_381], G2], count)
of "bls12-377 g1": serve(EC_ShortW_Jac[Fp[BLS12_377], G1], count)
of "bn254 g1": serve(EC_ShortW_Jac[Fp[BN254_Snarks], G1], count)
of "bn254 g2": serve(EC_ShortW_Jac[Fp2[BN254_Snarks], G2], count)
else: quit("no such group here")
