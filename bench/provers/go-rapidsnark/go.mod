module bucketwheel-bench/go-rapidsnark

go 1.18

require github.com/iden3/go-rapidsnark/prover v0.0.14

require github.com/iden3/go-rapidsnark/types v0.0.3 // indirect
