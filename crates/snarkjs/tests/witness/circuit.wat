;; A circuit in the form that circom 2 writes, by hand, with the inputs a and b[2] and the output a + b[0] + b[1] of small numbers.
(module
  (import "runtime" "exceptionHandler" (func $exceptionHandler (param i32)))
  (import "runtime" "printErrorMessage" (func $printErrorMessage))
  (import "runtime" "writeBufferMessage" (func $writeBufferMessage))
  (import "runtime" "showSharedRWMemory" (func $showSharedRWMemory))
  (memory (export "memory") 1)
  ;; 0: the shared value. 64: the prime, of bn128. 96: the witness: 1, the sum, a, b[0], b[1].
  (data (i32.const 64) "\01\00\00\f0\93\f5\e1\43\91\70\b9\79\48\e8\33\28\5d\58\81\81\b6\45\50\b8\29\a0\31\e1\72\4e\64\30")
  (data (i32.const 96) "\01")
  (data (i32.const 512) "in line 1\0a\00")
  (data (i32.const 544) "sum\00")
  (data (i32.const 560) "\0a\00")
  (global $message (mut i32) (i32.const 512))
  (global $set (mut i32) (i32.const 0))

  (func (export "getVersion") (result i32) i32.const 2)
  (func (export "getSharedRWMemoryStart") (result i32) i32.const 0)
  (func (export "getFieldNumLen32") (result i32) i32.const 8)
  (func (export "getRawPrime") (memory.copy (i32.const 0) (i32.const 64) (i32.const 32)))
  (func (export "init") (param i32))
  (func (export "getInputSize") (result i32) i32.const 3)
  (func (export "getWitnessSize") (result i32) i32.const 5)
  (func (export "getWitness") (param $i i32)
    (memory.copy (i32.const 0) (i32.add (i32.const 96) (i32.mul (local.get $i) (i32.const 32))) (i32.const 32)))

  ;; The hashes of "a" and "b" are af63dc4c 8601ec8c and af63df4c 8601f1a5.
  (func $size (export "getInputSignalSize") (param $high i32) (param $low i32) (result i32)
    (if (i32.and (i32.eq (local.get $high) (i32.const 0xaf63dc4c)) (i32.eq (local.get $low) (i32.const 0x8601ec8c)))
      (then (return (i32.const 1))))
    (if (i32.and (i32.eq (local.get $high) (i32.const 0xaf63df4c)) (i32.eq (local.get $low) (i32.const 0x8601f1a5)))
      (then (return (i32.const 2))))
    (i32.const -1))

  (func (export "setInputSignal") (param $high i32) (param $low i32) (param $index i32)
    (memory.copy
      (i32.add
        (i32.const 160)
        (i32.mul (i32.const 32)
          (i32.add (local.get $index) (i32.eq (call $size (local.get $high) (local.get $low)) (i32.const 2)))))
      (i32.const 0) (i32.const 32))
    (global.set $set (i32.add (global.get $set) (i32.const 1)))
    (if (i32.eq (global.get $set) (i32.const 3)) (then (call $compute))))

  (func $compute
    (i64.store (i32.const 128)
      (i64.add (i64.load (i32.const 160)) (i64.add (i64.load (i32.const 192)) (i64.load (i32.const 224)))))
    ;; log("sum", the sum)
    (global.set $message (i32.const 544))
    (call $writeBufferMessage)
    (memory.copy (i32.const 0) (i32.const 128) (i32.const 32))
    (call $showSharedRWMemory)
    (global.set $message (i32.const 560))
    (call $writeBufferMessage)
    ;; assert(the sum != 13)
    (if (i64.eq (i64.load (i32.const 128)) (i64.const 13))
      (then
        (global.set $message (i32.const 512))
        (call $printErrorMessage)
        (call $exceptionHandler (i32.const 4)))))

  (func (export "getMessageChar") (result i32)
    (global.set $message (i32.add (global.get $message) (i32.const 1)))
    (i32.load8_u (i32.sub (global.get $message) (i32.const 1)))))
