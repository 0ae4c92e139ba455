// Command rapidsnark makes one proof with rapidsnark, as its own command does:
// the key and the witness are mapped, not read.
//
// Its arguments are the key, the witness, the files for the proof and for the
// public signals, and the number of threads, which must be the number of
// processors that the process may use. It prints the seconds that it took to map
// the files and to prove.
package main

/*
#include <stddef.h>

// From rapidsnark's prover.h: the Go package has the library, but copies its inputs.
int groth16_prover(const void *zkey, unsigned long zkey_size, const void *witness, unsigned long witness_size,
                   char *proof, unsigned long *proof_size, char *public_signals, unsigned long *public_size,
                   char *message, unsigned long message_size);
*/
import "C"

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
	"unsafe"

	_ "github.com/iden3/go-rapidsnark/prover"
)

// More bytes than a proof and the public signals of the workloads take.
const textSize = 1 << 20

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "rapidsnark:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 5 {
		return fmt.Errorf("want key, witness, proof, public signals, threads; got %d arguments", len(args))
	}
	start := time.Now()
	key, err := mapped(args[0])
	if err != nil {
		return err
	}
	witness, err := mapped(args[1])
	if err != nil {
		return err
	}
	loaded := time.Now()
	proof, public, err := prove(key, witness)
	if err != nil {
		return err
	}
	proved := time.Now()
	if err := os.WriteFile(args[2], proof, 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(args[3], public, 0o644); err != nil {
		return err
	}
	fmt.Printf("{\"load\":%f,\"prove\":%f}\n", loaded.Sub(start).Seconds(), proved.Sub(loaded).Seconds())
	return nil
}

func mapped(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return syscall.Mmap(int(file.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
}

func prove(key, witness []byte) (proof, public []byte, err error) {
	proof, public, message := make([]byte, textSize), make([]byte, textSize), make([]byte, 4096)
	proofSize, publicSize := C.ulong(len(proof)), C.ulong(len(public))
	status := C.groth16_prover(
		unsafe.Pointer(&key[0]), C.ulong(len(key)), unsafe.Pointer(&witness[0]), C.ulong(len(witness)),
		text(proof), &proofSize, text(public), &publicSize, text(message), C.ulong(len(message)))
	if status != 0 {
		return nil, nil, errors.New(C.GoString(text(message)))
	}
	return []byte(C.GoString(text(proof))), []byte(C.GoString(text(public))), nil
}

func text(bytes []byte) *C.char {
	return (*C.char)(unsafe.Pointer(&bytes[0]))
}
