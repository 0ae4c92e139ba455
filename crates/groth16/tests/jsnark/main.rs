//! jsnark's circuits: each operation by hand, faults in circuits, and random circuits.

use std::io::Cursor;

use ark_bn254::Fr;
use ark_ff::{Field, PrimeField};
use bucketwheel::{Cancel, Progress};
use bucketwheel_groth16::file::{R1cs, Wtns};
use bucketwheel_groth16::jsnark::{self, ImportError, Imported, JsnarkError, Problem};
use bucketwheel_groth16::{check_witness, Bn254, Error};

struct Silent;

impl Progress for Silent {
    fn report(&self, _: usize, _: usize) {}
}

/// An imported circuit and its constraints as `.r1cs`.
#[derive(Debug)]
struct Circuit {
    imported: Imported<Fr>,
    r1cs: Vec<u8>,
}

fn import(circuit: &[u8], inputs: &[u8]) -> Result<Circuit, JsnarkError> {
    let mut r1cs = Cursor::new(Vec::new());
    match jsnark::import::<Bn254, _>(circuit, inputs, &mut r1cs, &Cancel::new(), &Silent) {
        Ok(imported) => Ok(Circuit { imported, r1cs: r1cs.into_inner() }),
        Err(ImportError::Jsnark(error)) => Err(error),
        Err(ImportError::Output(error)) => panic!("{error}"),
    }
}

/// Checks a circuit's files; `tamper` changes the witness before.
fn check(circuit: &Circuit, tamper: impl Fn(&mut Vec<Fr>)) -> Result<(), Error> {
    let mut tampered = circuit.imported.clone();
    tamper(&mut tampered.witness);
    let wtns = tampered.write_wtns::<Bn254, _>(Cursor::new(Vec::new())).unwrap().into_inner();
    let (r1cs, wtns) = (R1cs::parse(&circuit.r1cs).unwrap(), Wtns::parse(&wtns).unwrap());
    let header = r1cs.header;
    assert_eq!(header.constraints, tampered.constraints);
    assert_eq!(header.wires, tampered.witness.len());
    let named = (header.outputs, header.public_inputs, header.private_inputs);
    assert_eq!(named, (tampered.outputs, tampered.public_inputs, tampered.private_inputs));
    check_witness(&r1cs, &wtns, &Cancel::new(), &Silent)
}

/// Returns the outputs of a circuit that its witness satisfies. Of its variables, exactly `free` may have another
/// value.
fn outputs(lines: &str, inputs: &str, free: usize) -> Vec<Fr> {
    let circuit = import(lines.as_bytes(), inputs.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    check(&circuit, |_| {}).unwrap();
    let Imported { outputs, witness, .. } = &circuit.imported;
    let fixed = (1..witness.len())
        .filter(|&index| check(&circuit, |witness| witness[index] += Fr::ONE).is_err())
        .count();
    assert_eq!(fixed + free, witness.len() - 1, "{lines}");
    witness[1..=*outputs].to_vec()
}

fn numbers(values: &[i64]) -> Vec<Fr> {
    values.iter().map(|&value| Fr::from(value)).collect()
}

#[test]
fn products_and_sums() {
    let lines = "total 9\ninput 0\nnizkinput 1 # a comment\nmul in 2 <0 1> out 1 <2>\nadd in 3 <0 1 2> out 1 <3>\n\
                 const-mul-1f in 1 <3> out 1 <4>\nconst-mul-neg-a in 1 <4> out 1 <5>\noutput 2\noutput 5\noutput 1\n";
    // 3 * 4 = 12; 3 + 4 + 12 = 19; 31 * 19 = 589; -5890.
    assert_eq!(outputs(lines, "0 3\n1 4\n", 0), numbers(&[12, -5890, 4]));
}

#[test]
fn bits() {
    for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let lines = "total 4\ninput 0\ninput 1\nxor in 2 <0 1> out 1 <2>\nor in 2 <0 1> out 1 <3>\noutput 2\noutput 3";
        assert_eq!(outputs(lines, &format!("0 {a}\n1 {b}"), 0), numbers(&[a ^ b, a | b]));
    }
    let lines = "total 3\ninput 0\ninput 1\nxor in 2 <0 1> out 1 <2>";
    assert_eq!(problem(lines, "0 1\n1 2"), (4, Problem::NotABit(1)));
}

#[test]
fn splitting_and_packing() {
    let lines = "total 9\ninput 0\nsplit in 1 <0> out 4 <1 2 3 4>\npack in 4 <4 3 2 1> out 1 <5>\noutput 5\noutput 1\noutput 4";
    // 0b0111 backwards is 0b1110.
    assert_eq!(outputs(lines, "0 7", 0), numbers(&[14, 1, 0]).to_vec());
    let wide = problem(lines, "0 10");
    assert_eq!(wide, (3, Problem::TooWide { wire: 0, needed: 5, bits: 4 }));
}

#[test]
fn comparing_with_zero() {
    let lines = "total 3\ninput 0\nzerop in 1 <0> out 2 <1 2>\noutput 2";
    // If the operand is 0, the helper may have any value.
    assert_eq!(outputs(lines, "0 0", 1), numbers(&[0]));
    assert_eq!(outputs(lines, "0 5", 0), numbers(&[1]));
}

#[test]
fn assertions() {
    let lines = "total 4\ninput 0\nnizkinput 1\nnizkinput 2\nassert in 2 <0 1> out 1 <2>";
    assert_eq!(outputs(lines, "0 6\n1 7\n2 2a", 0), []);
    assert_eq!(problem(lines, "0 6\n1 7\n2 2b"), (5, Problem::Assertion { a: 0, b: 1, c: 2 }));
}

#[test]
fn public_variables_come_first() {
    let lines = "total 5\nnizkinput 3\ninput 1\nmul in 2 <3 3> out 1 <4>\nmul in 2 <4 1> out 1 <2>\noutput 2\noutput 1";
    let circuit = import(lines.as_bytes(), b"3 2\n1 5").unwrap();
    let Imported { outputs, public_inputs, private_inputs, witness, .. } = &circuit.imported;
    assert_eq!((*outputs, *public_inputs, *private_inputs), (2, 1, 1));
    // An input that is also an output has a second variable.
    assert_eq!(*witness, numbers(&[1, 20, 5, 5, 2, 4]));
    check(&circuit, |_| {}).unwrap();
}

#[test]
fn an_output_is_the_variable_of_its_wire() {
    // The same wire twice, a wire that carries the same variable, and a multiple of it.
    let lines = "total 5\ninput 0\nmul in 2 <0 0> out 1 <1>\nadd in 1 <1> out 1 <2>\nconst-mul-2 in 1 <1> out 1 <3>\n\
                 output 2\noutput 1\noutput 1\noutput 3";
    assert_eq!(outputs(lines, "0 3", 0), numbers(&[9, 9, 9, 18]));
    assert_eq!(import(lines.as_bytes(), b"0 3").unwrap().imported.constraints, 4);
}

#[test]
fn wires_that_cancel_vanish() {
    let lines = "total 9\ninput 0\nnizkinput 1\nconst-mul-neg-1 in 1 <0> out 1 <2>\nadd in 3 <0 1 2> out 1 <3>\n\
                 add in 2 <3 3> out 1 <4>\nconst-mul-0 in 1 <4> out 1 <5>\nadd in 2 <5 3> out 1 <6>\noutput 6";
    assert_eq!(outputs(lines, "0 5\n1 7", 1), numbers(&[7]));
}

/// Returns terms of each combination of a circuit.
fn lengths(circuit: &Circuit) -> Vec<usize> {
    let r1cs = R1cs::parse(&circuit.r1cs).unwrap();
    r1cs.constraints().flat_map(|c| [c.a.len(), c.b.len(), c.c.len()]).collect()
}

/// Gates of a chain.
#[derive(PartialEq)]
enum Gates {
    Sums,
    SumsAndSquares,
}

/// Returns a sum that grows by an input with each addition. With squares, each sum is also an input of a
/// multiplication.
fn chain(count: usize, gates: Gates) -> Circuit {
    let mut lines = format!("total {}\ninput 0\n", 3 * count + 1);
    let mut inputs = "0 1\n".to_owned();
    for i in 0..count {
        let [before, input, sum, product] = [3 * i, 3 * i + 1, 3 * i + 3, 3 * i + 2];
        lines += &format!("nizkinput {input}\nadd in 2 <{before} {input}> out 1 <{sum}>\n");
        if gates == Gates::SumsAndSquares {
            lines += &format!("mul in 2 <{sum} {sum}> out 1 <{product}>\n");
        }
        inputs += &format!("{input} {i:x}\n");
    }
    lines += &format!("output {}\n", 3 * count);
    let circuit = import(lines.as_bytes(), inputs.as_bytes()).unwrap();
    assert_eq!(circuit.imported.witness[1], Fr::from((1 + count * (count - 1) / 2) as u64));
    check(&circuit, |_| {}).unwrap();
    circuit
}

#[test]
fn long_sums_are_whole_while_they_are_few() {
    assert_eq!(lengths(&chain(2000, Gates::Sums)), [2001, 1, 1]);
    assert_eq!(lengths(&chain(3000, Gates::Sums))[..3], [2049, 1, 1]);
}

#[test]
fn long_sums_stay_bounded() {
    let lengths = lengths(&chain(3000, Gates::SumsAndSquares));
    // Without a bound, the terms would be nine millions.
    assert!(lengths.iter().sum::<usize>() < 1_000_000);
    assert!(lengths[lengths.len() / 2..].iter().all(|&len| len <= 257));
}

#[test]
fn a_line_may_read_a_wire_a_thousand_times() {
    // The sum has two thousand terms: a copy for each use would take gigabytes.
    let count = 2000;
    let inputs: String = (0..count).map(|wire| format!("{wire} 1\n")).collect();
    let wires: Vec<_> = (0..count).map(|wire| wire.to_string()).collect();
    let mut lines = format!("total {}\n", count + 3);
    wires.iter().for_each(|wire| lines += &format!("nizkinput {wire}\n"));
    lines += &format!("add in {count} <{}> out 1 <{count}>\n", wires.join(" "));
    let many = vec![count.to_string(); 20_000].join(" ");
    lines += &format!("add in 20000 <{many}> out 1 <{}>\noutput {}\n", count + 1, count + 1);
    let circuit = import(lines.as_bytes(), inputs.as_bytes()).unwrap();
    assert_eq!(circuit.imported.witness[1], Fr::from(20_000 * count));
    check(&circuit, |_| {}).unwrap();
}

fn problem(circuit: &str, inputs: &str) -> (usize, Problem) {
    let JsnarkError { line, problem, .. } = import(circuit.as_bytes(), inputs.as_bytes()).unwrap_err();
    (line, problem)
}

#[test]
fn what_is_wrong_is_named() {
    let message = |circuit: &str, inputs: &str| {
        let error = import(circuit.as_bytes(), inputs.as_bytes()).unwrap_err();
        let text = error.to_string();
        assert_eq!(text.lines().count(), 1);
        assert!(text.contains("expected"), "{text}");
        (error.in_inputs, text)
    };
    let begins = |circuit: &str, inputs: &str, start: &str| {
        let (_, text) = message(circuit, inputs);
        assert!(text.starts_with(start), "{text}\n{start}");
    };
    let start = "total 5\ninput 0\n";
    let with = |line: &str| format!("{start}{line}");
    begins("input 0", "0 1", "line 1: \"the first line\" is not understood");
    begins("total 5\ntotal 6", "", "line 2: \"total 6\" is not understood");
    begins("total -1", "", "line 1: \"-1\" is not understood");
    begins("total 99999999999", "", "line 1: \"99999999999\"");
    begins(start, "", "line 2: input wire 0 has no value");
    begins(&with("mux in 2 <0 0> out 1 <1>"), "0 1", "line 3: \"mux\" is not understood");
    begins(&with("mul in 1 <0> out 1 <1>"), "0 1", "line 3: mul has 1 in wires: expected 2");
    begins(&with("mul in 2 <0 0> out 2 <1 2>"), "0 1", "line 3: mul has 2 out wires: expected 1");
    begins(&with("add in 0 <> out 1 <1>"), "0 1", "line 3: add has 0 in wires: expected at least 1");
    begins(&with("zerop in 1 <0> out 1 <1>"), "0 1", "line 3: zerop has 1 out wires: expected 2");
    begins(&with("mul in 3 <0 0> out 1 <1>"), "0 1", "line 3: \"in 3 <0 0>\" is not understood");
    begins(&with("mul in 2 <0 0 out 1 <1>"), "0 1", "line 3: ");
    begins(&with("mul in 2 <0 x> out 1 <1>"), "0 1", "line 3: \"x\" is not understood");
    begins(&with("mul out 2 <0 0> in 1 <1>"), "0 1", "line 3: ");
    begins(&with("mul"), "0 1", "line 3: ");
    begins(&with("mul in 2 <0 3> out 1 <1>"), "0 1", "line 3: wire 3 has no value yet");
    begins(&with("mul in 2 <0 0> out 1 <0>"), "0 1", "line 3: wire 0 has a value already");
    begins(&with("input 0"), "0 1", "line 3: wire 0 has a value already");
    begins(&with("mul in 2 <0 0> out 1 <5>"), "0 1", "line 3: there is no wire 5");
    begins(&with("output 5"), "0 1", "line 3: there is no wire 5");
    begins(&with("output 4"), "0 1", "line 3: wire 4 has no value yet");
    begins(&with("const-mul- in 1 <0> out 1 <1>"), "0 1", "line 3: \"\" is not understood");
    begins(&with("const-mul-xyz in 1 <0> out 1 <1>"), "0 1", "line 3: \"xyz\" is not understood");
    let large = format!("const-mul-{:x} in 1 <0> out 1 <1>", num_bigint::BigUint::from(Fr::MODULUS));
    begins(&with(&large), "0 1", "line 3: 30644e72");
    let longer = format!("const-mul-neg-{} in 1 <0> out 1 <1>", "f".repeat(100));
    begins(&with(&longer), "0 1", "line 3: ffffffff");
    // The error names the first wrong line, although the third line is not even understood.
    begins("total 5\nmul in 2 <0 0> out 1 <1>\nmux", "", "line 2: wire 0 has no value yet");
    for (inputs, start) in [
        ("0", "line 1: \"0\" is not understood"),
        ("\n0 0x1", "line 2: \"0x1\" is not understood"),
        ("x 1", "line 1: \"x\" is not understood"),
        ("0 1\n0 2", "line 2: wire 0 has a value already"),
        (&format!("0 {}", "f".repeat(64)), "line 1: ffffffff"),
        ("0 -1", "line 1: \"-1\" is not understood"),
    ] {
        let (in_inputs, text) = message(&with("output 0"), inputs);
        assert!(in_inputs && text.starts_with(start), "{text}");
    }
}

#[test]
fn any_bytes_are_an_error_or_a_circuit() {
    let circuit = "total 9\ninput 0\nsplit in 1 <0> out 4 <1 2 3 4>\nadd in 2 <1 2> out 1 <5>\noutput 5\n";
    for at in 0..circuit.len() {
        for byte in [0, b'<', b'>', b' ', b'9', b'\n', 0xff] {
            let mut bytes = circuit.as_bytes().to_vec();
            bytes[at] = byte;
            if let Ok(circuit) = import(&bytes, b"0 7") {
                check(&circuit, |_| {}).unwrap();
            }
            let _ = import(&bytes[..at], b"0 7");
        }
    }
}

#[test]
fn a_cancelled_import_ends() {
    let circuit = format!("total 2\n{}", "# a comment\n".repeat(1 << 13));
    assert!(import(circuit.as_bytes(), b"").is_ok());
    let cancel = Cancel::new();
    cancel.cancel();
    let out = Cursor::new(Vec::new());
    match jsnark::import::<Bn254, _>(circuit.as_bytes(), b"", out, &cancel, &Silent) {
        Err(ImportError::Jsnark(error)) => assert_eq!(error.problem, Problem::Cancelled),
        _ => panic!("not cancelled"),
    }
}

#[test]
fn outputs_that_fail_are_told() {
    let mut full = [0u8; 100];
    let circuit = b"total 2\ninput 0\nmul in 2 <0 0> out 1 <1>\noutput 1";
    let out = Cursor::new(&mut full[..]);
    let error = jsnark::import::<Bn254, _>(circuit, b"0 1", out, &Cancel::new(), &Silent).unwrap_err();
    assert!(matches!(error, ImportError::Output(_)), "{error}");
}
