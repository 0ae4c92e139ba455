;; The circuit of circuit.wat in the form that circom 1 writes, by hand, with the inputs a and b[2] and the output c = a + b[0] + b[1] of small numbers.
(module
  (import "env" "memory" (memory 1))
  (import "runtime" "error" (func $error (param i32 i32 i32 i32 i32 i32)))
  (import "runtime" "logSetSignal" (func $logSetSignal (param i32 i32)))
  (import "runtime" "logGetSignal" (func $logGetSignal (param i32 i32)))
  (import "runtime" "logFinishComponent" (func $logFinishComponent (param i32)))
  (import "runtime" "logStartComponent" (func $logStartComponent (param i32)))
  (import "runtime" "log" (func $log (param i32)))
  ;; 0: the first free address.
  (data (i32.const 0) "\00\40\00\00")
  ;; 8: 5 signals, 1 component, 3 values of inputs, 1 of outputs, 5 of the witness, 1 public; then the components at 320, and the inputs' bits at 344.
  (data (i32.const 8) "\05\00\00\00\01\00\00\00\03\00\00\00\01\00\00\00\05\00\00\00\01\00\00\00")
  (data (i32.const 36) "\40\01\00\00\58\01\00\00")
  ;; 64: the prime, of bn128.
  (data (i32.const 64) "\01\00\00\f0\93\f5\e1\43\91\70\b9\79\48\e8\33\28\5d\58\81\81\b6\45\50\b8\29\a0\31\e1\72\4e\64\30")
  ;; The component: slots at 4096, entries at 512, number 0, 3 values of inputs.
  (data (i32.const 320) "\00\10\00\00\00\02\00\00\00\00\00\00\03\00\00\00")
  (data (i32.const 344) "\1c\00\00\00")
  ;; The entries: signal 2 of 1 value, 3 of 2 values, 1 of 1 value, and a component.
  (data (i32.const 512) "\02\00\00\00\30\02\00\00\01\00\00\00\03\00\00\00\34\02\00\00\01\00\00\00\01\00\00\00\30\02\00\00\01\00\00\00\00\00\00\00\30\02\00\00\02\00\00\00")
  (data (i32.const 560) "\01\00\00\00\02\00\00\00")
  ;; The slots of a, b, c and d, whose hashes end with 8c, a5, f2 and 73.
  (data (i32.const 5776) "\8c\ec\01\86\4c\dc\63\af\00\00\00\00")
  (data (i32.const 6076) "\a5\f1\01\86\4c\df\63\af\01\00\00\00")
  (data (i32.const 7000) "\f2\ef\01\86\4c\de\63\af\02\00\00\00")
  (data (i32.const 5476) "\73\e7\01\86\4c\d9\63\af\03\00\00\00")
  (data (i32.const 768) "Constraint doesn't match\00")
  (data (i32.const 832) "sum.circom:1:2\00")
  (global $to_come (mut i32) (i32.const 0))

  (func (export "getFrLen") (result i32) i32.const 40)
  (func (export "getPRawPrime") (result i32) i32.const 64)
  (func (export "getNVars") (result i32) i32.const 5)
  ;; The signals are at 8192: 1, the sum, a, b[0], b[1].
  (func (export "getPWitness") (param $i i32) (result i32)
    (i32.add (i32.const 8192) (i32.mul (local.get $i) (i32.const 40))))
  (func (export "init") (param $checks i32)
    (i32.store (i32.const 4) (i32.shl (i32.and (memory.size) (i32.const 0xfffffff8)) (i32.const 16)))
    (i32.store (i32.const 8192) (i32.const 1))
    (global.set $to_come (i32.const 3)))

  (func (export "setSignal") (param i32 i32) (param $signal i32) (param $value i32)
    (memory.copy
      (i32.add (i32.const 8192) (i32.mul (local.get $signal) (i32.const 40)))
      (local.get $value) (i32.const 40))
    (global.set $to_come (i32.sub (global.get $to_come) (i32.const 1)))
    (if (i32.eqz (global.get $to_come)) (then (call $compute))))

  (func $compute
    (i32.store (i32.const 8232)
      (i32.add (i32.load (i32.const 8272)) (i32.add (i32.load (i32.const 8312)) (i32.load (i32.const 8352)))))
    (call $log (i32.const 8232))
    ;; The sum is not 13.
    (if (i32.eq (i32.load (i32.const 8232)) (i32.const 13))
      (then
        (call $error
          (i32.const 7) (i32.const 768) (i32.const 0) (i32.const 8232) (i32.const 8192) (i32.const 832))))))
