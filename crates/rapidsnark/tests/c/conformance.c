/* The calls of prover.h and verifier.h, checked: their results, their messages, and the memory that they leave alone.
 *
 *   conformance both FOLDER STEP            checks that rapidsnark passes, too
 *   conformance all FOLDER STEP             and checks that it fails, or dies of
 *   conformance prove KEY WITNESS PROOF PUBLIC
 *   conformance verify PROOF PUBLIC KEY     prints the code
 *   conformance time KEY WITNESS COUNT      prints milliseconds of a proof, by a key that is loaded once
 *
 * FOLDER has keys and witnesses (.zkey, .wtns) and verification keys (.json): of circuits with two public signals (power),
 * with none (none), with 300 (many), and power on another curve (other). Of repeated checks, one in STEP runs.
 * Compiled once and linked with each library. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <prover.h>
#include <verifier.h>

#ifdef RAPIDSNARK_UNSIGNED_LONG_LONG
typedef unsigned long long number;
#else
typedef unsigned long number;
#endif

/* Content of a buffer before a call, and a size that no call returns. */
#define FILL '#'
#define UNTOLD 7777777u

static int failures;

/* Of repeated checks, one in `step` runs. */
static size_t step;

#define CHECK(condition) check(condition, #condition, __LINE__)

static void check(int holds, const char *condition, int line) {
    if (!holds) {
        printf("line %d: %s\n", line, condition);
        failures++;
    }
}

static void die(const char *what, const char *name) {
    fprintf(stderr, "conformance: %s %s\n", what, name);
    exit(2);
}

/* Bytes in a block of exactly their size, so that tools that watch memory notice an access beyond it. */
struct bytes {
    char *data;
    size_t size;
};

static struct bytes copied(const void *data, size_t size) {
    struct bytes bytes = {malloc(size ? size : 1), size};
    if (!bytes.data) die("no memory for", "a copy");
    memcpy(bytes.data, data, size);
    return bytes;
}

static const char *in_folder(const char *folder, const char *name) {
    static char paths[8][4096];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static struct bytes load(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) die("cannot open", path);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *data = malloc((size_t)size + 1);
    if (!data || fread(data, 1, (size_t)size, file) != (size_t)size) die("cannot read", path);
    fclose(file);
    struct bytes bytes = copied(data, (size_t)size);
    free(data);
    return bytes;
}

/* Reads a file with a NUL at its end. */
static char *load_text(const char *path) {
    struct bytes bytes = load(path);
    char *text = realloc(bytes.data, bytes.size + 1);
    if (!text) die("no memory for", path);
    text[bytes.size] = 0;
    return text;
}

static void store(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(text, 1, strlen(text), file) != strlen(text) || fclose(file)) die("cannot write", path);
}

static int filled(const char *data, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (data[i] != FILL) return 0;
    return 1;
}

/* Buffer for the error message of a call. */
static char message[512];

static char *no_message(void) {
    memset(message, FILL, sizeof message);
    message[sizeof message - 1] = 0;
    return message;
}

/* Returns true if the buffer has a message that ends with a NUL. */
static int told(void) { return message[0] != FILL && message[0] != 0 && memchr(message, 0, sizeof message); }

static int untold(void) { return filled(message, sizeof message - 1); }

/* The buffers of a call that proves. */
struct output {
    char *proof, *public_signals;
    number proof_size, public_size;
    size_t proof_room, public_room;
};

static struct output output(size_t proof_room, size_t public_room) {
    struct output out = {malloc(proof_room ? proof_room : 1), malloc(public_room ? public_room : 1),
                         (number)proof_room, (number)public_room, proof_room, public_room};
    if (!out.proof || !out.public_signals) die("no memory for", "buffers");
    memset(out.proof, FILL, proof_room);
    memset(out.public_signals, FILL, public_room);
    no_message();
    return out;
}

static void discard(struct output *out) {
    free(out->proof);
    free(out->public_signals);
}

static int untouched(const struct output *out) {
    return filled(out->proof, out->proof_room) && filled(out->public_signals, out->public_room);
}

/* Checks that a failing call has changed only the message, and the sizes if they were too small. */
static int left_alone(const struct output *out) {
    return untouched(out) && out->proof_size == out->proof_room && out->public_size == out->public_room;
}

static int prove(void *prover, struct bytes witness, struct output *out) {
    return groth16_prover_prove(prover, witness.data, witness.size, out->proof, &out->proof_size, out->public_signals,
                                &out->public_size, message, sizeof message);
}

static int prove_once(struct bytes key, struct bytes witness, struct output *out) {
    return groth16_prover(key.data, key.size, witness.data, witness.size, out->proof, &out->proof_size,
                          out->public_signals, &out->public_size, message, sizeof message);
}

static int prove_file(const char *key, struct bytes witness, struct output *out) {
    return groth16_prover_zkey_file(key, witness.data, witness.size, out->proof, &out->proof_size, out->public_signals,
                                    &out->public_size, message, sizeof message);
}

static int verify(const char *proof, const char *public_signals, const char *key) {
    return groth16_verify(proof, public_signals, key, no_message(), sizeof message);
}

/* Returns a text in which the first occurrence of one part is replaced. */
static char *replaced(const char *text, const char *part, const char *by) {
    const char *at = strstr(text, part);
    if (!at) die("no such text:", part);
    size_t before = (size_t)(at - text);
    char *result = malloc(strlen(text) + strlen(by) + 1);
    if (!result) die("no memory for", "a text");
    memcpy(result, text, before);
    strcpy(result + before, by);
    strcat(result, at + strlen(part));
    return result;
}

/* The circuits of the folder. */
struct circuit {
    const char *name;
    size_t public_signals;
    struct bytes key, witness;
    char *verification_key;
    const char *path;
};

static struct circuit circuit(const char *folder, const char *name, size_t public_signals) {
    char file[64];
    struct circuit circuit = {.name = name, .public_signals = public_signals};
    snprintf(file, sizeof file, "%s.zkey", name);
    circuit.key = load(in_folder(folder, file));
    circuit.path = strdup(in_folder(folder, file));
    snprintf(file, sizeof file, "%s.wtns", name);
    circuit.witness = load(in_folder(folder, file));
    snprintf(file, sizeof file, "%s.json", name);
    circuit.verification_key = load_text(in_folder(folder, file));
    return circuit;
}

static void discard_circuit(struct circuit *circuit) {
    free(circuit->key.data);
    free(circuit->witness.data);
    free(circuit->verification_key);
    free((char *)circuit->path);
}

static size_t bound(const struct circuit *circuit) { return 82 * circuit->public_signals + 4; }

/* --- Checks of both libraries --- */

static void sizes(const struct circuit *circuit) {
    number size = UNTOLD;
    groth16_proof_size(&size);
    CHECK(size == 810);
    size = UNTOLD;
    CHECK(groth16_public_size_for_zkey_buf(circuit->key.data, circuit->key.size, &size, no_message(),
                                           sizeof message) == PROVER_OK);
    CHECK(size == bound(circuit) && untold());
    size = UNTOLD;
    CHECK(groth16_public_size_for_zkey_file(circuit->path, &size, no_message(), sizeof message) == PROVER_OK);
    CHECK(size == bound(circuit) && untold());
    CHECK(groth16_public_size_for_zkey_file(circuit->path, &size, NULL, 0) == PROVER_OK);
}

/* Returns true if a key of this length ends behind a section: it then has the header, which states the number of public
 * signals. */
static int ends_behind_a_section(const struct bytes *key, size_t length) {
    size_t at = 12;
    while (at < length) {
        uint64_t content;
        memcpy(&content, key->data + at + 4, sizeof content);
        at += 12 + content;
    }
    return at == length && at > 12;
}

static void sizes_of_no_key(const struct circuit *circuit, const char *folder) {
    number size = UNTOLD;
    CHECK(groth16_public_size_for_zkey_buf(circuit->witness.data, circuit->witness.size, &size, no_message(),
                                           sizeof message) == PROVER_ERROR);
    CHECK(size == UNTOLD && told());
    CHECK(groth16_public_size_for_zkey_buf(circuit->key.data, 0, &size, no_message(), sizeof message) == PROVER_ERROR);
    CHECK(size == UNTOLD && told());
    for (size_t length = 0; length < circuit->key.size; length += 13 * step) {
        if (ends_behind_a_section(&circuit->key, length)) continue;
        struct bytes cut = copied(circuit->key.data, length);
        CHECK(groth16_public_size_for_zkey_buf(cut.data, cut.size, &size, no_message(), sizeof message) ==
              PROVER_ERROR);
        CHECK(size == UNTOLD && told());
        free(cut.data);
    }
    const char *files[] = {"absent", "empty", "", "power.wtns", "cut.zkey"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        CHECK(groth16_public_size_for_zkey_file(in_folder(folder, files[i]), &size, no_message(), sizeof message) ==
              PROVER_ERROR);
        CHECK(size == UNTOLD && told());
        CHECK(groth16_public_size_for_zkey_file(in_folder(folder, files[i]), &size, NULL, 0) == PROVER_ERROR);
    }
}

static void refused_keys(const struct circuit *circuit, const struct circuit *other, const char *folder) {
    void *untold_object = &failures, *prover = untold_object;
    CHECK(groth16_prover_create(NULL, circuit->key.data, circuit->key.size, no_message(), sizeof message) ==
          PROVER_ERROR);
    CHECK(told());
    CHECK(groth16_prover_create(&prover, NULL, 0, no_message(), sizeof message) == PROVER_ERROR);
    CHECK(prover == untold_object && told());
    CHECK(groth16_prover_create(&prover, NULL, circuit->key.size, NULL, 0) == PROVER_ERROR);
    struct bytes refused[] = {circuit->witness, other->key, {circuit->key.data, 0}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        CHECK(groth16_prover_create(&prover, refused[i].data, refused[i].size, no_message(), sizeof message) ==
              PROVER_ERROR);
        CHECK(prover == untold_object && told());
        struct output out = output(810, bound(circuit));
        CHECK(prove_once(refused[i], circuit->witness, &out) == PROVER_ERROR);
        CHECK(left_alone(&out) && told());
        discard(&out);
    }
    for (size_t length = 0; length < circuit->key.size; length += 13 * step) {
        struct bytes cut = copied(circuit->key.data, length);
        CHECK(groth16_prover_create(&prover, cut.data, cut.size, no_message(), sizeof message) == PROVER_ERROR);
        CHECK(prover == untold_object && told());
        free(cut.data);
    }
    const char *files[] = {"absent", "empty", "", "power.wtns", "cut.zkey", "other.zkey"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *path = in_folder(folder, files[i]);
        CHECK(groth16_prover_create_zkey_file(&prover, path, no_message(), sizeof message) == PROVER_ERROR);
        CHECK(prover == untold_object && told());
        struct output out = output(810, bound(circuit));
        CHECK(prove_file(path, circuit->witness, &out) == PROVER_ERROR);
        CHECK(left_alone(&out) && told());
        discard(&out);
    }
    groth16_prover_destroy(NULL);
}

/* A proof exists and holds, but does not hold for other public signals. */
static void holds(const struct circuit *circuit, const struct output *out) {
    CHECK(untold());
    CHECK(strlen(out->proof) < 810);
    CHECK(strncmp(out->proof, "{\"pi_a\":[\"", 10) == 0);
    CHECK(strstr(out->proof, "],\"pi_b\":[[\"") && strstr(out->proof, "],[\"1\",\"0\"]],\"pi_c\":[\""));
    CHECK(strstr(out->proof, ",\"1\"],\"protocol\":\"groth16\"}") && !strpbrk(out->proof, " \n"));
    CHECK(strlen(out->public_signals) < bound(circuit));
    CHECK(verify(out->proof, out->public_signals, circuit->verification_key) == VERIFIER_VALID_PROOF);
    CHECK(untold());
}

static void short_buffers(void *prover, const struct circuit *circuit, struct bytes witness) {
    size_t enough = bound(circuit);
    size_t rooms[][2] = {{0, 0}, {1, 1}, {809, enough}, {810, enough - 1}, {810, 0}, {0, enough}, {0, 100000}};
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        struct output out = output(rooms[i][0], rooms[i][1]);
        CHECK(prove(prover, witness, &out) == PROVER_ERROR_SHORT_BUFFER);
        CHECK(out.proof_size == 810 && out.public_size == enough && untouched(&out) && told());
        discard(&out);
        if (i % step) continue;
        out = output(rooms[i][0], rooms[i][1]);
        CHECK(prove_once(circuit->key, witness, &out) == PROVER_ERROR_SHORT_BUFFER);
        CHECK(out.proof_size == 810 && out.public_size == enough && untouched(&out) && told());
        discard(&out);
        out = output(rooms[i][0], rooms[i][1]);
        CHECK(prove_file(circuit->path, witness, &out) == PROVER_ERROR_SHORT_BUFFER);
        CHECK(out.proof_size == 810 && out.public_size == enough && untouched(&out) && told());
        discard(&out);
    }
}

static void null_arguments(void *prover, const struct circuit *circuit) {
    struct output out = output(810, bound(circuit));
    struct bytes witness = circuit->witness;
    number *proof_size = &out.proof_size, *public_size = &out.public_size;
    char *proof = out.proof, *public_signals = out.public_signals;
#define FAILS(call)                                                                                                  \
    do {                                                                                                             \
        no_message();                                                                                                \
        CHECK((call) == PROVER_ERROR);                                                                               \
        CHECK(left_alone(&out) && told());                                                                           \
    } while (0)
    FAILS(groth16_prover_prove(NULL, witness.data, witness.size, proof, proof_size, public_signals, public_size,
                               message, sizeof message));
    FAILS(groth16_prover_prove(prover, NULL, witness.size, proof, proof_size, public_signals, public_size, message,
                               sizeof message));
    FAILS(groth16_prover_prove(prover, witness.data, witness.size, NULL, proof_size, public_signals, public_size,
                               message, sizeof message));
    FAILS(groth16_prover_prove(prover, witness.data, witness.size, proof, NULL, public_signals, public_size, message,
                               sizeof message));
    FAILS(groth16_prover_prove(prover, witness.data, witness.size, proof, proof_size, NULL, public_size, message,
                               sizeof message));
    FAILS(groth16_prover_prove(prover, witness.data, witness.size, proof, proof_size, public_signals, NULL, message,
                               sizeof message));
    FAILS(groth16_prover(NULL, circuit->key.size, witness.data, witness.size, proof, proof_size, public_signals,
                         public_size, message, sizeof message));
    FAILS(groth16_prover(circuit->key.data, circuit->key.size, NULL, 0, proof, proof_size, public_signals, public_size,
                         message, sizeof message));
    FAILS(groth16_prover_zkey_file(circuit->path, NULL, 0, proof, proof_size, public_signals, public_size, message,
                                   sizeof message));
    discard(&out);
}

static void refused_witnesses(void *prover, const struct circuit *circuit, const struct circuit *longer,
                              const struct circuit *other) {
    struct bytes empty = copied("", 0);
    struct bytes refused[] = {circuit->key, other->witness, empty};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct output out = output(810, bound(circuit));
        CHECK(prove(prover, refused[i], &out) == PROVER_ERROR);
        CHECK(left_alone(&out) && told());
        CHECK(prove_once(circuit->key, refused[i], &out) == PROVER_ERROR);
        CHECK(prove_file(circuit->path, refused[i], &out) == PROVER_ERROR);
        CHECK(left_alone(&out));
        discard(&out);
    }
    free(empty.data);
    for (size_t length = 0; length < circuit->witness.size; length += step) {
        struct bytes cut = copied(circuit->witness.data, length);
        struct output out = output(810, bound(circuit));
        CHECK(prove(prover, cut, &out) == PROVER_ERROR);
        CHECK(left_alone(&out) && told());
        discard(&out);
        free(cut.data);
    }
    struct output out = output(810, bound(circuit));
    CHECK(prove(prover, longer->witness, &out) == PROVER_INVALID_WITNESS_LENGTH);
    CHECK(left_alone(&out) && told());
    no_message();
    CHECK(prove_once(circuit->key, longer->witness, &out) == PROVER_INVALID_WITNESS_LENGTH);
    CHECK(left_alone(&out) && told());
    no_message();
    CHECK(prove_file(circuit->path, longer->witness, &out) == PROVER_INVALID_WITNESS_LENGTH);
    CHECK(left_alone(&out) && told());
    /* A call need not have room for a message. */
    CHECK(groth16_prover_prove(prover, longer->witness.data, longer->witness.size, out.proof, &out.proof_size,
                               out.public_signals, &out.public_size, NULL, 0) == PROVER_INVALID_WITNESS_LENGTH);
    discard(&out);
}

static void proofs(void *prover, const struct circuit *circuit) {
    for (size_t i = 0; i < 3; i += step) {
        struct output out = output(810, bound(circuit));
        CHECK(prove(prover, circuit->witness, &out) == PROVER_OK);
        holds(circuit, &out);
        discard(&out);
    }
    struct output out = output(16384, 65536);
    CHECK(prove_once(circuit->key, circuit->witness, &out) == PROVER_OK);
    holds(circuit, &out);
    discard(&out);
    out = output(810, bound(circuit));
    CHECK(prove_file(circuit->path, circuit->witness, &out) == PROVER_OK);
    holds(circuit, &out);
    discard(&out);
}

#define VERIFIES(code, proof, inputs, key)                                                                           \
    do {                                                                                                             \
        CHECK(verify(proof, inputs, key) == (code));                                                                 \
        CHECK((code) == VERIFIER_ERROR ? told() : untold());                                                         \
    } while (0)

static void verifications(const struct circuit *circuit) {
    struct output out = output(810, bound(circuit));
    CHECK(prove_once(circuit->key, circuit->witness, &out) == PROVER_OK);
    const char *proof = out.proof, *inputs = out.public_signals, *key = circuit->verification_key;
    VERIFIES(VERIFIER_VALID_PROOF, proof, inputs, key);
    CHECK(groth16_verify(proof, inputs, key, NULL, 0) == VERIFIER_VALID_PROOF);

    /* Other signals have other proofs. */
    VERIFIES(VERIFIER_INVALID_PROOF, proof, "[\"4\",\"5\"]", key);
    VERIFIES(VERIFIER_INVALID_PROOF, proof, "[\"0\",\"0\"]", key);
    struct output second = output(810, bound(circuit));
    CHECK(prove_once(circuit->key, circuit->witness, &second) == PROVER_OK);
    char *mixed = malloc(2048);
    strcpy(mixed, proof);
    strcpy(strstr(mixed, "\"pi_c\""), strstr(second.proof, "\"pi_c\""));
    VERIFIES(VERIFIER_INVALID_PROOF, mixed, inputs, key);
    free(mixed);
    discard(&second);

    /* A point that is not on the curve. */
    char *off = replaced(proof, "\"pi_a\":[\"", "\"pi_a\":[\"1\",\"1\",\"1\"],\"x\":[\"");
    VERIFIES(VERIFIER_INVALID_PROOF, off, inputs, key);
    free(off);
    off = replaced(proof, "\"pi_b\":[[\"", "\"pi_b\":[[\"1\",\"1\"],[\"1\",\"1\"],[\"1\",\"0\"]],\"x\":[[\"");
    VERIFIES(VERIFIER_INVALID_PROOF, off, inputs, key);
    free(off);

    /* Wrong numbers of signals. */
    VERIFIES(VERIFIER_ERROR, proof, "[\"4\"]", key);
    VERIFIES(VERIFIER_ERROR, proof, "[\"4\",\"5\",\"6\"]", key);

    /* Texts with another structure. */
    const char *broken[] = {"", "x", "{", "[", "[[]]", "4", "\"4\"", "[4]", "[\"4\""};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        VERIFIES(VERIFIER_ERROR, broken[i], inputs, key);
        VERIFIES(VERIFIER_ERROR, proof, broken[i], key);
        VERIFIES(VERIFIER_ERROR, proof, inputs, broken[i]);
        CHECK(groth16_verify(broken[i], inputs, key, NULL, 0) == VERIFIER_ERROR);
    }
    char *other = replaced(proof, "\"groth16\"", "\"x\"");
    VERIFIES(VERIFIER_ERROR, other, inputs, key);
    free(other);
    const char *values_of_key[] = {"\"groth16\"", "\"bn128\""};
    for (size_t i = 0; i < sizeof values_of_key / sizeof *values_of_key; i++) {
        other = replaced(key, values_of_key[i], "\"x\"");
        VERIFIES(VERIFIER_ERROR, proof, inputs, other);
        free(other);
    }
    discard(&out);
}

static void both(const char *folder) {
    struct circuit power = circuit(folder, "power", 2), many = circuit(folder, "many", 300);
    struct circuit none = circuit(folder, "none", 0), other = circuit(folder, "other", 2);
    sizes(&power);
    sizes(&many);
    sizes(&none);
    sizes_of_no_key(&power, folder);
    refused_keys(&power, &other, folder);
    void *prover = NULL;
    CHECK(groth16_prover_create(&prover, power.key.data, power.key.size, no_message(), sizeof message) == PROVER_OK);
    CHECK(prover && untold());
    null_arguments(prover, &power);
    short_buffers(prover, &power, power.witness);
    /* This error comes before an error of the witness. */
    short_buffers(prover, &power, many.witness);
    refused_witnesses(prover, &power, &many, &other);
    proofs(prover, &power);
    groth16_prover_destroy(prover);

    CHECK(groth16_prover_create(&prover, many.key.data, many.key.size, NULL, 0) == PROVER_OK);
    short_buffers(prover, &many, many.witness);
    proofs(prover, &many);
    groth16_prover_destroy(prover);
    verifications(&power);

    struct output out = output(810, 100);
    CHECK(prove_once(none.key, none.witness, &out) == PROVER_OK);
    CHECK(strcmp(out.public_signals, "null") == 0 && untold());
    discard(&out);
    discard_circuit(&power);
    discard_circuit(&many);
    discard_circuit(&none);
    discard_circuit(&other);
}

/* --- Checks of our library --- */

/* A successful call reports the lengths of the texts, which end with NULs. */
static void lengths(void *prover, const struct circuit *circuit, size_t public_room) {
    struct output out = output(810, public_room);
    CHECK(prove(prover, circuit->witness, &out) == PROVER_OK);
    CHECK(out.proof_size < 810 && out.proof[out.proof_size] == 0 && strlen(out.proof) == out.proof_size);
    CHECK(out.public_size < public_room && out.public_signals[out.public_size] == 0);
    CHECK(strlen(out.public_signals) == out.public_size);
    holds(circuit, &out);
    /* The call changes no other byte. */
    CHECK(filled(out.proof + out.proof_size + 1, out.proof_room - out.proof_size - 1));
    CHECK(filled(out.public_signals + out.public_size + 1, out.public_room - out.public_size - 1));
    discard(&out);
}

enum { THREADS = 4, PROOFS = 2 };

struct task {
    void *prover;
    const struct circuit *circuit;
    struct output out;
    int codes[PROOFS];
};

static void *prove_in_thread(void *argument) {
    struct task *task = argument;
    for (size_t i = 0; i < PROOFS; i += step) {
        task->out.proof_size = task->out.proof_room;
        task->out.public_size = task->out.public_room;
        task->codes[i] = groth16_prover_prove(task->prover, task->circuit->witness.data, task->circuit->witness.size,
                                              task->out.proof, &task->out.proof_size, task->out.public_signals,
                                              &task->out.public_size, NULL, 0);
        if (groth16_verify(task->out.proof, task->out.public_signals, task->circuit->verification_key, NULL, 0))
            task->codes[i] = -1;
    }
    return NULL;
}

/* Loads a key once, from a file that is then removed, and proves often, from many threads. */
static void loaded_once(const struct circuit *circuits, const char *folder) {
    struct task tasks[THREADS];
    pthread_t threads[THREADS];
    void *provers[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        const char *copy = in_folder(folder, "copy.zkey");
        FILE *file = fopen(copy, "wb");
        if (!file || fwrite(circuits[i].key.data, 1, circuits[i].key.size, file) != circuits[i].key.size ||
            fclose(file))
            die("cannot write", copy);
        CHECK(groth16_prover_create_zkey_file(&provers[i], copy, no_message(), sizeof message) == PROVER_OK);
        CHECK(provers[i] && untold());
        unlink(copy);
        for (size_t j = 0; j < PROOFS; j += step) lengths(provers[i], &circuits[i], bound(&circuits[i]));
    }
    for (int i = 0; i < THREADS; i++) {
        struct task task = {provers[i % 2], &circuits[i % 2], output(810, bound(&circuits[i % 2])), {0}};
        tasks[i] = task;
        if (pthread_create(&threads[i], NULL, prove_in_thread, &tasks[i])) die("cannot start", "a thread");
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        for (int j = 0; j < PROOFS; j++) CHECK(tasks[i].codes[j] == PROVER_OK);
        discard(&tasks[i].out);
    }
    groth16_prover_destroy(provers[0]);
    groth16_prover_destroy(provers[1]);
}

/* Texts that lack a required value: rapidsnark reads foreign memory, and may crash. */
static void missing_values(const struct circuit *circuit) {
    struct output out = output(810, bound(circuit));
    CHECK(prove_once(circuit->key, circuit->witness, &out) == PROVER_OK);
    const char *proof = out.proof, *inputs = out.public_signals, *key = circuit->verification_key;
    const char *objects[] = {"{}", "{\"protocol\":\"groth16\"}"};
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        VERIFIES(VERIFIER_ERROR, objects[i], inputs, key);
        VERIFIES(VERIFIER_ERROR, proof, objects[i], key);
        VERIFIES(VERIFIER_ERROR, proof, inputs, objects[i]);
    }
    const char *names[] = {"\"pi_a\"", "\"pi_b\"", "\"pi_c\""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *without = replaced(proof, names[i], "\"x\"");
        VERIFIES(VERIFIER_ERROR, without, inputs, key);
        free(without);
    }
    const char *names_of_key[] = {"\"vk_alpha_1\"", "\"vk_beta_2\"", "\"vk_gamma_2\"", "\"vk_delta_2\"",
                                  "\"IC\"",         "\"curve\""};
    for (size_t i = 0; i < sizeof names_of_key / sizeof *names_of_key; i++) {
        char *without = replaced(key, names_of_key[i], "\"x\"");
        VERIFIES(VERIFIER_ERROR, proof, inputs, without);
        free(without);
    }
    /* Some programs do not write the protocol. */
    char *proof_without = replaced(proof, "\"protocol\"", "\"x\""), *key_without = replaced(key, "\"protocol\"", "\"x\"");
    VERIFIES(VERIFIER_VALID_PROOF, proof_without, inputs, key_without);
    free(proof_without);
    free(key_without);
    discard(&out);
}

/* Null pointers that rapidsnark dereferences. */
static void more_null_arguments(const struct circuit *circuit) {
    number size = UNTOLD;
    void *prover = NULL;
    groth16_proof_size(NULL);
#define FAILS_WITH(code, call)                                                                                       \
    do {                                                                                                             \
        no_message();                                                                                                \
        CHECK((call) == (code));                                                                                     \
        CHECK(told() && size == UNTOLD && !prover);                                                                  \
    } while (0)
    FAILS_WITH(PROVER_ERROR, groth16_public_size_for_zkey_buf(NULL, 100, &size, message, sizeof message));
    FAILS_WITH(PROVER_ERROR, groth16_public_size_for_zkey_buf(circuit->key.data, circuit->key.size, NULL, message,
                                                              sizeof message));
    FAILS_WITH(PROVER_ERROR, groth16_public_size_for_zkey_file(NULL, &size, message, sizeof message));
    FAILS_WITH(PROVER_ERROR, groth16_public_size_for_zkey_file(circuit->path, NULL, message, sizeof message));
    FAILS_WITH(PROVER_ERROR, groth16_prover_create_zkey_file(&prover, NULL, message, sizeof message));
    FAILS_WITH(PROVER_ERROR, groth16_prover_create_zkey_file(NULL, circuit->path, message, sizeof message));
    struct output out = output(810, bound(circuit));
    FAILS_WITH(PROVER_ERROR,
               groth16_prover_zkey_file(NULL, circuit->witness.data, circuit->witness.size, out.proof, &out.proof_size,
                                        out.public_signals, &out.public_size, message, sizeof message));
    CHECK(left_alone(&out));
    discard(&out);
    FAILS_WITH(VERIFIER_ERROR, groth16_verify(NULL, "[]", circuit->verification_key, message, sizeof message));
    FAILS_WITH(VERIFIER_ERROR, groth16_verify("{}", NULL, circuit->verification_key, message, sizeof message));
    FAILS_WITH(VERIFIER_ERROR, groth16_verify("{}", "[]", NULL, message, sizeof message));
    /* A length that exceeds any memory. */
    FAILS_WITH(PROVER_ERROR, groth16_public_size_for_zkey_buf(circuit->key.data, (number)-1, &size, message,
                                                              sizeof message));
    FAILS_WITH(PROVER_ERROR, groth16_prover_create(&prover, circuit->key.data, (number)-1, message, sizeof message));
}

/* A pipe: the call must not wait for its writer. */
static void pipe_for_key(const struct circuit *circuit, const char *folder) {
    const char *path = in_folder(folder, "pipe");
    void *prover = NULL;
    number size = UNTOLD;
    unlink(path);
    if (mkfifo(path, 0600)) die("cannot make", path);
    CHECK(groth16_prover_create_zkey_file(&prover, path, no_message(), sizeof message) == PROVER_ERROR);
    CHECK(told() && !prover);
    CHECK(groth16_public_size_for_zkey_file(path, &size, no_message(), sizeof message) == PROVER_ERROR);
    CHECK(told() && size == UNTOLD);
    struct output out = output(810, bound(circuit));
    CHECK(prove_file(path, circuit->witness, &out) == PROVER_ERROR);
    CHECK(left_alone(&out) && told());
    discard(&out);
}

/* A key's file that changes between two proofs. */
static void changed_key(const struct circuit *circuit, const char *folder) {
    const char *path = in_folder(folder, "changed.zkey");
    struct timespec times[2] = {{1, 0}, {1, 0}};
    void *prover = NULL;
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(circuit->key.data, 1, circuit->key.size, file) != circuit->key.size || fclose(file))
        die("cannot write", path);
    CHECK(groth16_prover_create_zkey_file(&prover, path, no_message(), sizeof message) == PROVER_OK);
    if (utimensat(AT_FDCWD, path, times, 0)) die("cannot change", path);
    struct output out = output(810, bound(circuit));
    CHECK(prove(prover, circuit->witness, &out) == PROVER_ERROR && left_alone(&out));
    CHECK(strstr(message, "has changed since it was loaded") != NULL);
    discard(&out);
    groth16_prover_destroy(prover);
    unlink(path);
}

/* A process that forks leaves the library's threads behind. */
static void forked(const struct circuit *circuit) {
    void *prover = NULL;
    CHECK(groth16_prover_create(&prover, circuit->key.data, circuit->key.size, NULL, 0) == PROVER_OK);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        failures = 0;
        alarm(60);
        struct output out = output(810, bound(circuit));
        CHECK(prove(prover, circuit->witness, &out) == PROVER_ERROR && left_alone(&out) && told());
        CHECK(prove_once(circuit->key, circuit->witness, &out) == PROVER_ERROR && left_alone(&out));
        CHECK(verify("{}", "[]", circuit->verification_key) == VERIFIER_ERROR && told());
        discard(&out);
        groth16_prover_destroy(prover);
        fflush(stdout);
        /* The child does not call exit: valgrind would then miss the memory of the threads. */
        if (!failures) kill(getpid(), SIGKILL);
        _exit(1);
    }
    int status = 0;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    groth16_prover_destroy(prover);
}

/* Messages end with a NUL and stay within their buffers. */
static void messages(const struct circuit *circuit) {
    void *prover = NULL;
    for (size_t room = 0; room < 100; room++) {
        char *text = malloc(room ? room : 1);
        memset(text, FILL, room ? room : 1);
        CHECK(groth16_prover_create(&prover, circuit->key.data, 100, text, room) == PROVER_ERROR);
        CHECK(room ? memchr(text, 0, room) != NULL : text[0] == FILL);
        memset(text, FILL, room ? room : 1);
        /* A message whose characters all have two bytes. */
        CHECK(groth16_prover_create_zkey_file(&prover, "\303\244\303\266\303\274\303\244\303\266\303\274", text,
                                              room) == PROVER_ERROR);
        CHECK(room ? memchr(text, 0, room) != NULL : text[0] == FILL);
        memset(text, FILL, room ? room : 1);
        CHECK(groth16_verify("{}", "[]", "{}", text, room) == VERIFIER_ERROR);
        CHECK(room ? memchr(text, 0, room) != NULL : text[0] == FILL);
        free(text);
    }
}

/* Keys, witnesses, sizes and provers at any address. */
static void misaligned(const struct circuit *circuit) {
    for (size_t offset = 1; offset < 8; offset += 2 * step) {
        struct bytes key = {malloc(circuit->key.size + offset), circuit->key.size};
        struct bytes witness = {malloc(circuit->witness.size + offset), circuit->witness.size};
        memcpy(key.data += offset, circuit->key.data, key.size);
        memcpy(witness.data += offset, circuit->witness.data, witness.size);
        struct output out = output(1024, bound(circuit));
        CHECK(prove_once(key, witness, &out) == PROVER_OK);
        holds(circuit, &out);
        discard(&out);
        /* Numbers at any address. */
        struct {
            char space[8];
            char sizes[2 * sizeof(number) + 8];
        } numbers;
        number rooms[2] = {810, (number)bound(circuit)};
        memcpy(numbers.sizes + offset, rooms, sizeof rooms);
        out = output(810, bound(circuit));
        void *at = numbers.sizes + offset;
        CHECK(groth16_prover(key.data, key.size, witness.data, witness.size, out.proof, (number *)at,
                             out.public_signals, (number *)at + 1, message, sizeof message) == PROVER_OK);
        memcpy(rooms, numbers.sizes + offset, sizeof rooms);
        CHECK(rooms[0] == strlen(out.proof) && rooms[1] == strlen(out.public_signals));
        discard(&out);
        free(key.data - offset);
        free(witness.data - offset);
    }
}

/* No public signals: the text is "null", which needs one byte more than the key's size; its proof can be verified. */
static void no_signals(const struct circuit *none) {
    void *prover = NULL;
    CHECK(groth16_prover_create(&prover, none->key.data, none->key.size, no_message(), sizeof message) == PROVER_OK);
    struct output out = output(810, 4);
    CHECK(prove(prover, none->witness, &out) == PROVER_ERROR_SHORT_BUFFER);
    CHECK(untouched(&out) && told() && out.proof_size == 810 && out.public_size == 5);
    discard(&out);
    out = output(810, 5);
    CHECK(prove(prover, none->witness, &out) == PROVER_OK);
    CHECK(strcmp(out.public_signals, "null") == 0 && out.public_size == 4 && untold());
    CHECK(verify(out.proof, out.public_signals, none->verification_key) == VERIFIER_VALID_PROOF);
    CHECK(verify(out.proof, "[]", none->verification_key) == VERIFIER_VALID_PROOF);
    CHECK(verify(out.proof, "[\"1\"]", none->verification_key) == VERIFIER_ERROR && told());
    discard(&out);
    groth16_prover_destroy(prover);
}

/* Inputs that rapidsnark wrongly accepts: it makes proofs that no verifier accepts, or reads beyond the end. */
static void damaged(const struct circuit *circuit, const struct circuit *other) {
    void *prover = NULL;
    number size = UNTOLD;
    CHECK(groth16_public_size_for_zkey_buf(other->key.data, other->key.size, &size, no_message(), sizeof message) ==
          PROVER_ERROR);
    CHECK(told() && size == UNTOLD);
    CHECK(groth16_prover_create(&prover, circuit->key.data, circuit->key.size, NULL, 0) == PROVER_OK);
    /* Flips any bit of a witness. A changed value must be noticed. */
    size_t last = circuit->witness.size - 1;
    for (size_t at = 0; at <= last; at += 3 * step) {
        struct bytes changed = copied(circuit->witness.data, circuit->witness.size);
        changed.data[at] ^= 1 << at % 8;
        struct output out = output(810, bound(circuit));
        int code = prove(prover, changed, &out);
        CHECK(code == PROVER_ERROR || code == PROVER_INVALID_WITNESS_LENGTH);
        CHECK(left_alone(&out) && told());
        discard(&out);
        free(changed.data);
    }
    /* A value that is not below the order. */
    struct bytes unreduced = copied(circuit->witness.data, circuit->witness.size);
    memset(unreduced.data + unreduced.size - 32, 0xff, 32);
    struct output out = output(810, bound(circuit));
    CHECK(prove(prover, unreduced, &out) == PROVER_ERROR);
    CHECK(left_alone(&out) && told());
    discard(&out);
    free(unreduced.data);
    groth16_prover_destroy(prover);
    /* Flips any bit of a key: if the reader does not notice the change, there is no proof, or the proof holds for the
     * key's verifier. */
    for (size_t at = 0; at < circuit->key.size; at += 7 * step) {
        struct bytes changed = copied(circuit->key.data, circuit->key.size);
        changed.data[at] ^= 1 << at % 8;
        out = output(810, 100000);
        int code = prove_once(changed, circuit->witness, &out);
        if (code == PROVER_OK) {
            CHECK(untold() && strlen(out.proof) == out.proof_size);
        } else {
            CHECK(code == PROVER_ERROR || code == PROVER_INVALID_WITNESS_LENGTH);
            CHECK(left_alone(&out) && told());
        }
        discard(&out);
        free(changed.data);
    }
}

/* Texts that are not numbers, or not in the canonical form, which rapidsnark accepts. */
static void numbers(const struct circuit *circuit) {
    struct output out = output(810, bound(circuit));
    CHECK(prove_once(circuit->key, circuit->witness, &out) == PROVER_OK);
    const char *key = circuit->verification_key;
    const char *inputs[] = {
        "[\"x\",\"4\"]", "[\"-1\",\"4\"]", "[\"\",\"4\"]", "[\" 4\",\"4\"]", "[\"04\",\"4\"]",
        "[\"21888242871839275222246405745257275088548364400416034343698204186575808495617\",\"4\"]"};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        CHECK(verify(out.proof, inputs[i], key) == VERIFIER_ERROR);
        CHECK(told());
    }
    char *broken = replaced(out.proof, "\"pi_a\":[\"", "\"pi_a\":[\"x");
    CHECK(verify(broken, out.public_signals, key) == VERIFIER_ERROR && told());
    free(broken);
    broken = replaced(key, "\"vk_alpha_1\": [\n  \"", "\"vk_alpha_1\": [\n  \"1");
    CHECK(verify(out.proof, out.public_signals, broken) == VERIFIER_ERROR && told());
    free(broken);
    discard(&out);
}

static void ours(const char *folder) {
    struct circuit power = circuit(folder, "power", 2), many = circuit(folder, "many", 300);
    struct circuit none = circuit(folder, "none", 0), other = circuit(folder, "other", 2);
    struct circuit two[] = {power, many};
    loaded_once(two, folder);
    missing_values(&power);
    more_null_arguments(&power);
    pipe_for_key(&power, folder);
    changed_key(&power, folder);
    forked(&power);
    messages(&power);
    misaligned(&power);
    no_signals(&none);
    damaged(&power, &other);
    numbers(&power);
    discard_circuit(&power);
    discard_circuit(&many);
    discard_circuit(&none);
    discard_circuit(&other);
}

/* --- Files --- */

static void prove_files(char **paths) {
    struct bytes key = load(paths[0]), witness = load(paths[1]);
    struct output out = output(810, 1 << 20);
    if (prove_once(key, witness, &out) != PROVER_OK) die("no proof:", message);
    store(paths[2], out.proof);
    store(paths[3], out.public_signals);
    discard(&out);
    free(key.data);
    free(witness.data);
}

static void verify_files(char **paths) {
    char *proof = load_text(paths[0]), *inputs = load_text(paths[1]), *key = load_text(paths[2]);
    printf("%d\n", verify(proof, inputs, key));
    free(proof);
    free(inputs);
    free(key);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void time_proofs(char **arguments) {
    struct bytes key = load(arguments[0]), witness = load(arguments[1]);
    void *prover = NULL;
    if (groth16_prover_create(&prover, key.data, key.size, message, sizeof message)) die("no prover:", message);
    for (int i = atoi(arguments[2]); i > 0; i--) {
        struct output out = output(810, 1 << 20);
        double start = now();
        if (prove(prover, witness, &out) != PROVER_OK) die("no proof:", message);
        printf("%.1f\n", now() - start);
        discard(&out);
    }
    groth16_prover_destroy(prover);
    free(key.data);
    free(witness.data);
}

int main(int count, char **arguments) {
    const char *what = count > 1 ? arguments[1] : "";
    step = count == 4 ? strtoul(arguments[3], NULL, 10) : 0;
    if (step && !strcmp(what, "both")) both(arguments[2]);
    else if (step && !strcmp(what, "all")) both(arguments[2]), ours(arguments[2]);
    else if (count == 6 && !strcmp(what, "prove")) prove_files(arguments + 2);
    else if (count == 5 && !strcmp(what, "verify")) verify_files(arguments + 2);
    else if (count == 5 && !strcmp(what, "time")) time_proofs(arguments + 2);
    else die("unknown arguments:", what);
    return failures != 0;
}
