/* The calls of bucketwheel.h: known answers, sums that have to agree, and errors. Compiled as C and as C++; takes a folder for
 * its files. Calls read and write blocks of exactly the right size, so that tools that watch memory notice more. */
#include <bucketwheel.h>

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 1 << 8, MOST_WORDS = 36 };

static void fail(int line, const char *what) {
    fprintf(stderr, "calls.c:%d: %s; last error: %s\n", line, what, bw_error_message());
    exit(1);
}

#define CHECK(condition) \
    do { \
        if (!(condition)) fail(__LINE__, #condition); \
    } while (0)
#define OK(call) CHECK((call) == BW_OK)
/* Checks an error, and the words of its message. */
#define FAILS(call, status, words) \
    do { \
        CHECK((call) == (status)); \
        CHECK(strstr(bw_error_message(), (words))); \
    } while (0)

/* A group: the words of a coefficient, the generator, and the moduli of coordinates and scalars. */
typedef struct {
    uint32_t curve, group;
    size_t words;
    const uint64_t *generator, *p, *r;
} group_t;

static const uint64_t BN254_P[] = {0x3c208c16d87cfd47, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029};
static const uint64_t BN254_R[] = {0x43e1f593f0000001, 0x2833e84879b97091, 0xb85045b68181585d, 0x30644e72e131a029};
static const uint64_t BN254_G1[] = {1, 0, 0, 0, 2, 0, 0, 0};
/* Twice the generator of EIP-196, as its implementations compute it. */
static const uint64_t BN254_TWICE_G1[] = {0xd3c208c16d87cfd3, 0xd97816a916871ca8, 0x9b85045b68181585, 0x030644e72e131a02,
                                          0xff3ebf7a5a18a2c4, 0x68a6a449e3538fc7, 0xe7845f96b2ae9c0a, 0x15ed738c0e0a7c92};
/* Twice the generator of EIP-197. */
static const uint64_t BN254_G2[] = {0x46debd5cd992f6ed, 0x674322d4f75edadd, 0x426a00665e5c4479, 0x1800deef121f1e76,
                                    0x97e485b7aef312c2, 0xf1aa493335a9e712, 0x7260bfb731fb5d25, 0x198e9393920d483a,
                                    0x4ce6cc0166fa7daa, 0xe3d1e7690c43d37b, 0x4aab71808dcb408f, 0x12c85ea5db8c6deb,
                                    0x55acdadcd122975b, 0xbc4b313370b38ef3, 0xec9e99ad690c3395, 0x090689d0585ff075};
static const uint64_t BLS12_381_P[] = {0xb9feffffffffaaab, 0x1eabfffeb153ffff, 0x6730d2a0f6b0f624,
                                       0x64774b84f38512bf, 0x4b1ba7b6434bacd7, 0x1a0111ea397fe69a};
static const uint64_t BLS12_381_R[] = {0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805, 0x73eda753299d7d48};
static const uint64_t BLS12_381_G1[] = {0xfb3af00adb22c6bb, 0x6c55e83ff97a1aef, 0xa14e3a3f171bac58, 0xc3688c4f9774b905,
                                        0x2695638c4fa9ac0f, 0x17f1d3a73197d794, 0x0caa232946c5e7e1, 0xd03cc744a2888ae4,
                                        0x00db18cb2c04b3ed, 0xfcf5e095d5d00af6, 0xa09e30ed741d8ae4, 0x08b3f481e3aaa0f1};

static const group_t GROUPS[] = {
    {BW_CURVE_BN254, BW_GROUP_G1, 4, BN254_G1, BN254_P, BN254_R},
    {BW_CURVE_BN254, BW_GROUP_G2, 4, BN254_G2, BN254_P, BN254_R},
    {BW_CURVE_BLS12_381, BW_GROUP_G1, 6, BLS12_381_G1, BLS12_381_P, BLS12_381_R},
};
static const group_t BN254 = {BW_CURVE_BN254, BW_GROUP_G1, 4, BN254_G1, BN254_P, BN254_R};

/* Returns the number of words of a point. */
static size_t words_of(const group_t *g) { return g->words * (g->group == BW_GROUP_G2 ? 4 : 2); }

/* Copies memory to a block of exactly its size, at an odd address if wanted; freed as `block`. */
typedef struct {
    uint8_t *block;
    void *data;
} copy_t;

static copy_t copy(const void *from, size_t size, size_t shift) {
    copy_t made;
    made.block = (uint8_t *)malloc(size + shift ? size + shift : 1);
    CHECK(made.block);
    made.data = made.block + shift;
    if (size) memcpy(made.data, from, size);
    return made;
}

static bw_points points_at(const void *data, size_t count, uint32_t form) {
    bw_points points;
    memset(&points, 0, sizeof points);
    points.data = data;
    points.count = count;
    points.form = form;
    return points;
}

static bw_scalars scalars_at(const void *data, size_t count) {
    bw_scalars scalars;
    memset(&scalars, 0, sizeof scalars);
    scalars.data = data;
    scalars.count = count;
    scalars.form = BW_FORM_CANONICAL;
    return scalars;
}

static bw_sums sums_at(void *data, size_t size, uint32_t form, uint32_t coordinates) {
    bw_sums sums;
    memset(&sums, 0, sizeof sums);
    sums.data = data;
    sums.size = size;
    sums.form = form;
    sums.coordinates = coordinates;
    return sums;
}

static bw_options defaults(void) {
    bw_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    return options;
}

static bw_bases *prepare(const group_t *g, const uint64_t *words, size_t count) {
    copy_t points = copy(words, 8 * words_of(g) * count, 1);
    bw_points description = points_at(points.data, count, BW_FORM_CANONICAL);
    bw_bases *bases = NULL;
    OK(bw_bases_from_points(g->curve, g->group, &description, NULL, &bases));
    free(points.block);
    return bases;
}

/* Computes the sum of scalars of four words each. */
static void sum(const bw_bases *bases, const uint64_t *scalars, size_t count, uint64_t *result) {
    size_t size = bw_sum_bytes(bw_bases_curve(bases), bw_bases_group(bases), BW_AFFINE);
    copy_t input = copy(scalars, 32 * count, 1), output = copy(result, size, 1);
    bw_scalars description = scalars_at(input.data, count);
    bw_sums sums = sums_at(output.data, size, BW_FORM_CANONICAL, BW_AFFINE);
    OK(bw_msm(bases, &description, NULL, &sums));
    memcpy(result, output.data, size);
    free(input.block);
    free(output.block);
}

/* Computes the modulus minus a number. */
static void negate(const uint64_t *modulus, uint64_t *value, size_t words) {
    uint64_t borrow = 0;
    for (size_t i = 0; i < words; i++) {
        uint64_t other = value[i] + borrow;
        borrow = (other < borrow) | (modulus[i] < other);
        value[i] = modulus[i] - other;
    }
}

static int is_zero(const uint64_t *words, size_t count) {
    uint64_t any = 0;
    for (size_t i = 0; i < count; i++) any |= words[i];
    return !any;
}

/* P, -P and the multiples that they must have. */
static void known_answers(const group_t *g) {
    size_t words = words_of(g), bytes = 8 * words;
    uint64_t result[MOST_WORDS], negative[MOST_WORDS], both[2 * MOST_WORDS];
    bw_bases *one = prepare(g, g->generator, 1);
    CHECK(bw_bases_len(one) == 1 && bw_bases_curve(one) == g->curve && bw_bases_group(one) == g->group);

    uint64_t scalar[8] = {1, 0, 0, 0, 1, 0, 0, 0};
    sum(one, scalar, 1, result);
    CHECK(!memcmp(result, g->generator, bytes));
    scalar[0] = 0;
    sum(one, scalar, 1, result);
    CHECK(is_zero(result, words));
    /* r - 1 */
    memset(scalar, 0, sizeof scalar);
    scalar[0] = 1;
    negate(g->r, scalar, 4);
    sum(one, scalar, 1, result);
    memcpy(negative, g->generator, bytes);
    for (size_t i = words / 2; i < words; i += g->words) negate(g->p, negative + i, g->words);
    CHECK(!memcmp(result, negative, bytes));
    bw_bases_free(one);

    memcpy(both, g->generator, bytes);
    memcpy(both + words, negative, bytes);
    bw_bases *two = prepare(g, both, 2);
    memset(scalar, 0, sizeof scalar);
    scalar[0] = scalar[4] = 77;
    sum(two, scalar, 2, result);
    CHECK(is_zero(result, words));
    /* P + P, where the general addition formula divides by 0. */
    memcpy(both + words, g->generator, bytes);
    bw_bases *twice = prepare(g, both, 2);
    scalar[0] = scalar[4] = 1;
    sum(twice, scalar, 2, result);
    if (g->generator == BN254_G1) CHECK(!memcmp(result, BN254_TWICE_G1, bytes));
    scalar[0] = 3, scalar[4] = 0;
    sum(twice, scalar, 2, both);
    scalar[0] = 2;
    CHECK(memcmp(result, both, bytes));
    sum(twice, scalar, 2, both);
    CHECK(!memcmp(result, both, bytes));
    bw_bases_free(two);
    bw_bases_free(twice);
}

/* i times the generator for i from 1, each as its own sum. */
static uint64_t *multiples(const group_t *g) {
    bw_bases *one = prepare(g, g->generator, 1);
    uint64_t *scalars = (uint64_t *)calloc(N, 32);
    bw_scalars *each = (bw_scalars *)malloc(N * sizeof *each);
    size_t size = 8 * words_of(g) * N;
    uint64_t *points = (uint64_t *)malloc(size);
    CHECK(scalars && each && points);
    for (size_t i = 0; i < N; i++) {
        scalars[4 * i] = i + 1;
        each[i] = scalars_at(scalars + 4 * i, 1);
    }
    bw_sums sums = sums_at(points, size, BW_FORM_CANONICAL, BW_AFFINE);
    OK(bw_msm_many(one, each, N, NULL, &sums));
    bw_bases_free(one);
    free(scalars);
    free(each);
    return points;
}

/* Scalars of at most 48 bits, or r minus one. Their sum is one number times the generator: its absolute value is below
 * 2^63. */
static int64_t fill_scalars(const group_t *g, uint64_t *scalars) {
    uint64_t state = 1;
    int64_t total = 0;
    memset(scalars, 0, 32 * N);
    for (size_t i = 0; i < N; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        int64_t scalar = (int64_t)(state >> 20 >> (state % 44));
        scalars[4 * i] = (uint64_t)scalar;
        if (i % 3 == 1 && scalar) {
            negate(g->r, scalars + 4 * i, 4);
            scalar = -scalar;
        }
        total += scalar * (int64_t)(i + 1);
    }
    return total;
}

/* That number times the generator. */
static void times_generator(const group_t *g, int64_t total, uint64_t *result) {
    uint64_t scalar[4] = {(uint64_t)(total < 0 ? -total : total), 0, 0, 0};
    if (total < 0) negate(g->r, scalar, 4);
    bw_bases *one = prepare(g, g->generator, 1);
    sum(one, scalar, 1, result);
    bw_bases_free(one);
}

typedef struct {
    const bw_bases *bases;
    const uint64_t *scalars, *expected;
    size_t bytes;
} shared_t;

static void *work(void *argument) {
    const shared_t *shared = (const shared_t *)argument;
    uint64_t result[MOST_WORDS];
    for (int i = 0; i < 3; i++) {
        sum(shared->bases, shared->scalars, N, result);
        CHECK(!memcmp(result, shared->expected, shared->bytes));
        /* Each thread has its own errors. */
        CHECK(bw_msm(NULL, NULL, NULL, NULL) == BW_ERROR_NULL);
    }
    return NULL;
}

static void linear(const group_t *g, const char *folder) {
    size_t words = words_of(g), bytes = 8 * words;
    uint64_t *points = multiples(g);
    uint64_t scalars[4 * N], expected[MOST_WORDS], result[MOST_WORDS];
    times_generator(g, fill_scalars(g, scalars), expected);
    bw_bases *bases = prepare(g, points, N);
    sum(bases, scalars, N, result);
    CHECK(!memcmp(result, expected, bytes));

    /* The same points in Montgomery form, with gaps, flags and a third coordinate: sums in each form go in again. */
    size_t jacobian = bw_sum_bytes(g->curve, g->group, BW_JACOBIAN), gap = 5;
    CHECK(jacobian == bytes / 2 * 3 && bw_coordinate_bytes(g->curve, g->group) == bytes / 2);
    uint64_t one[4] = {1, 0, 0, 0};
    copy_t laid = copy(points, 0, (jacobian + gap) * N);
    for (size_t i = 0; i < N; i++) {
        bw_bases *single = prepare(g, points + words * i, 1);
        bw_scalars scalar = scalars_at(one, 1);
        bw_sums sums = sums_at(laid.block + (jacobian + gap) * i, jacobian, BW_FORM_MONTGOMERY, BW_JACOBIAN);
        OK(bw_msm(single, &scalar, NULL, &sums));
        bw_bases_free(single);
    }
    bw_points other = points_at(laid.block, N, BW_FORM_MONTGOMERY);
    other.stride = jacobian + gap;
    other.infinity = BW_INFINITY_ZERO_COORDINATE;
    other.infinity_offset = bytes;
    bw_options options = defaults();
    options.copies = 3;
    options.check = BW_CHECK_SUBGROUP;
    bw_bases *table = NULL;
    OK(bw_bases_from_points(g->curve, g->group, &other, &options, &table));
    sum(table, scalars, N, result);
    CHECK(!memcmp(result, expected, bytes));
    free(laid.block);

    /* Many threads share one handle. */
    pthread_t threads[4];
    shared_t shared = {table, scalars, expected, bytes};
    for (int i = 0; i < 4; i++) CHECK(!pthread_create(&threads[i], NULL, work, &shared));
    for (int i = 0; i < 4; i++) CHECK(!pthread_join(threads[i], NULL));

    /* Writes a table to a file, then shortens the file. */
    char path[4096];
    CHECK(snprintf(path, sizeof path, "%s/%" PRIu32 "-%" PRIu32 ".table", folder, g->curve, g->group) < (int)sizeof path);
    OK(bw_bases_write_table(table, path));
    bw_bases_free(table);
    OK(bw_bases_from_file(path, NULL, NULL, &table));
    CHECK(bw_bases_len(table) == N && bw_bases_curve(table) == g->curve && bw_bases_group(table) == g->group);
    sum(table, scalars, N, result);
    CHECK(!memcmp(result, expected, bytes));
    bw_bases_free(table);
    FILE *file = fopen(path, "r+b");
    CHECK(file && !fseek(file, 0, SEEK_END));
    long length = ftell(file);
    CHECK(length > 0);
    copy_t contents = copy(points, 0, (size_t)length);
    rewind(file);
    CHECK(fread(contents.block, 1, (size_t)length, file) == (size_t)length && !fclose(file));
    bw_bases *none = NULL;
    for (size_t size = 0; size < (size_t)length; size += (size_t)length / 40) {
        copy_t part = copy(contents.block, size, 0);
        FAILS(bw_bases_from_bytes(part.data, size, NULL, NULL, &none), BW_ERROR_FORMAT, "");
        free(part.block);
    }
    bw_table lent = {contents.block, (size_t)length};
    OK(bw_bases_from_tables(g->curve, g->group, &lent, NULL, &table));
    sum(table, scalars, N, result);
    CHECK(!memcmp(result, expected, bytes));
    bw_bases_free(table);
    file = fopen(path, "wb");
    CHECK(file && fwrite(contents.block, 1, (size_t)length - 1, file) == (size_t)length - 1 && !fclose(file));
    FAILS(bw_bases_from_file(path, NULL, NULL, &none), BW_ERROR_FORMAT, path);
    CHECK(!none && !remove(path));
    FAILS(bw_bases_from_file(path, NULL, NULL, &none), BW_ERROR_FILE, "cannot read");
    free(contents.block);

    /* Computes a stream in two parts, with a checkpoint between them. */
    options = defaults();
    options.memory = 1 << 28;
    bw_stream *stream = NULL;
    OK(bw_stream_new(g->curve, g->group, N, &options, &stream));
    bw_points part = points_at(points, 100, BW_FORM_CANONICAL);
    bw_scalars of_part = scalars_at(scalars, 100);
    OK(bw_stream_update(stream, &part, &of_part));
    bw_sums sums = sums_at(result, bytes, BW_FORM_CANONICAL, BW_AFFINE);
    OK(bw_stream_flush(stream, &sums));
    size_t taken = bw_stream_len(stream);
    CHECK(taken == 100);
    bw_stream_free(stream);
    bw_points checkpoint = points_at(result, 1, BW_FORM_CANONICAL);
    OK(bw_stream_resume(g->curve, g->group, N, taken, &checkpoint, &options, &stream));
    part = points_at(points + words * 100, N - 100, BW_FORM_CANONICAL);
    of_part = scalars_at(scalars + 4 * 100, N - 100);
    OK(bw_stream_update(stream, &part, &of_part));
    OK(bw_stream_flush(stream, &sums));
    CHECK(bw_stream_len(stream) == N && !memcmp(result, expected, bytes));
    bw_stream_free(stream);

    bw_bases_free(bases);
    free(points);
}

static void pair(void) {
    uint64_t *first = multiples(&GROUPS[0]), *second = multiples(&GROUPS[1]);
    uint64_t scalars[4 * N], expected[24], result[24];
    int64_t total = fill_scalars(&BN254, scalars);
    times_generator(&GROUPS[0], total, expected);
    times_generator(&GROUPS[1], total, expected + 8);
    bw_points points[2] = {points_at(first, N, BW_FORM_CANONICAL), points_at(second, N, BW_FORM_CANONICAL)};
    bw_bases *bases = NULL;
    OK(bw_bases_from_points(BW_CURVE_BN254, BW_GROUP_PAIR, points, NULL, &bases));
    sum(bases, scalars, N, result);
    CHECK(!memcmp(result, expected, sizeof result));
    bw_bases_free(bases);
    free(first);
    free(second);
}

static int progress_calls;

static void progress(void *user, size_t done, size_t total) {
    CHECK(done <= total);
    (*(int *)user)++;
}

static void *cancel(void *argument) {
    OK(bw_cancel_request((const bw_cancel *)argument));
    return NULL;
}

static void control(void) {
    uint64_t *points = multiples(&BN254), scalars[4 * N], result[8];
    fill_scalars(&BN254, scalars);
    bw_bases *bases = prepare(&BN254, points, N);
    bw_scalars input = scalars_at(scalars, N);
    bw_sums sums = sums_at(result, sizeof result, BW_FORM_CANONICAL, BW_AFFINE);
    bw_options options = defaults();
    options.threads = 1; /* so that only this thread calls the callback */
    options.progress = progress;
    options.user = &progress_calls;
    OK(bw_msm(bases, &input, &options, &sums));
    CHECK(progress_calls > 0);
    bw_cancel *handle = NULL;
    OK(bw_cancel_new(&handle));
    options.cancel = handle;
    OK(bw_msm(bases, &input, &options, &sums));
    pthread_t thread;
    CHECK(!pthread_create(&thread, NULL, cancel, handle) && !pthread_join(thread, NULL));
    FAILS(bw_msm(bases, &input, &options, &sums), BW_ERROR_CANCELLED, "cancelled");
    bw_cancel_free(handle);
    bw_bases_free(bases);
    free(points);

    bw_plan_result plan;
    memset(&plan, 0, sizeof plan);
    plan.size = sizeof plan;
    OK(bw_plan(BW_CURVE_BN254, BW_GROUP_PAIR, 1 << 20, NULL, &plan));
    CHECK(plan.window > 10 && plan.windows > 1 && plan.copies == 1 && plan.additions > 1 << 20 && plan.memory_bytes > 1 << 20);
    bw_release_memory();
}

/* One error of each kind; crates/capi/tests/calls has all errors. */
static void errors(void) {
    bw_bases *bases = NULL, *made = NULL;
    bw_points points = points_at(BN254_G1, 1, BW_FORM_CANONICAL);
    FAILS(bw_bases_from_points(BW_CURVE_BN254, BW_GROUP_G1, NULL, NULL, &made), BW_ERROR_NULL, "points is NULL");
    FAILS(bw_bases_from_points(77, BW_GROUP_G1, &points, NULL, &made), BW_ERROR_CURVE, "curve 77");
    FAILS(bw_bases_from_points(BW_CURVE_BN254, 77, &points, NULL, &made), BW_ERROR_GROUP, "group 77");
    FAILS(bw_bases_from_points(BW_CURVE_GRUMPKIN, BW_GROUP_G2, &points, NULL, &made), BW_ERROR_GROUP, "grumpkin");
    points.form = 0;
    FAILS(bw_bases_from_points(BW_CURVE_BN254, BW_GROUP_G1, &points, NULL, &made), BW_ERROR_ARGUMENT, "form 0");
    points.form = BW_FORM_CANONICAL;
    points.stride = 63;
    FAILS(bw_bases_from_points(BW_CURVE_BN254, BW_GROUP_G1, &points, NULL, &made), BW_ERROR_STRIDE, "at least 64");
    points.stride = 0;
    points.count = SIZE_MAX;
    FAILS(bw_bases_from_points(BW_CURVE_BN254, BW_GROUP_G1, &points, NULL, &made), BW_ERROR_COUNT, "expected at most");
    points.count = 1;
    bw_options options = defaults();
    options.size = 8;
    FAILS(bw_bases_from_points(BW_CURVE_BN254, BW_GROUP_G1, &points, &options, &made), BW_ERROR_ARGUMENT, "bw_options");
    options.size = sizeof options;
    options.backend = BW_BACKEND_AARCH64;
#if defined __x86_64__
    FAILS(bw_bases_from_points(BW_CURVE_BN254, BW_GROUP_G1, &points, &options, &made), BW_ERROR_BACKEND, "aarch64");
#endif
    options.backend = BW_BACKEND_DEFAULT;
    options.check = BW_CHECK_CURVE;
    uint64_t words[8] = {1, 0, 0, 0, 3, 0, 0, 0};
    points.data = words;
    FAILS(bw_bases_from_points(BW_CURVE_BN254, BW_GROUP_G1, &points, &options, &made), BW_ERROR_NOT_ON_CURVE, "point 0");
    CHECK(bw_error_index() == 0);
    memcpy(words, BN254_P, sizeof BN254_P);
    FAILS(bw_bases_from_points(BW_CURVE_BN254, BW_GROUP_G1, &points, NULL, &made), BW_ERROR_COORDINATE, "point 0");
    FAILS(bw_bases_from_bytes("what is this", 12, NULL, NULL, &made), BW_ERROR_FORMAT, "the bytes fit no format");
    CHECK(bw_error_index() == BW_NO_INDEX);
    FAILS(bw_bases_from_file("/none/of/these", NULL, NULL, &made), BW_ERROR_FILE, "/none/of/these");
    bw_stream *stream = NULL;
    options.memory = 1000;
    FAILS(bw_stream_new(BW_CURVE_BN254, BW_GROUP_G1, 0, &options, &stream), BW_ERROR_MEMORY, "1000 bytes");
    options.memory = BW_MEMORY_LEAST;
    FAILS(bw_stream_new(BW_CURVE_BN254, BW_GROUP_G1, 0, &options, &stream), BW_ERROR_MEMORY, "0 bytes of memory");
    CHECK(!made && !stream);

    bases = prepare(&BN254, BN254_G1, 1);
    uint64_t scalar[4] = {0, 0, 0, 0}, result[8];
    memcpy(scalar, BN254_R, sizeof scalar);
    bw_scalars scalars = scalars_at(scalar, 1);
    bw_sums sums = sums_at(result, sizeof result, BW_FORM_CANONICAL, BW_AFFINE);
    FAILS(bw_msm(bases, &scalars, NULL, &sums), BW_ERROR_SCALAR, "scalar 0 is not below");
    sums.size = 63;
    FAILS(bw_msm(bases, &scalars, NULL, &sums), BW_ERROR_BUFFER, "expected at least 64");
    sums.size = 64;
    scalars.count = 0;
    FAILS(bw_msm(bases, &scalars, NULL, &sums), BW_ERROR_COUNT, "0 scalars for 1 points");
    bw_bases_free(bases);
    bw_bases_free(NULL);
    bw_stream_free(NULL);
    bw_cancel_free(NULL);
}

/* Reads a whole file into a block of its size. */
static copy_t contents_of(const char *folder, const char *curve, const char *name, size_t *size) {
    char path[4096];
    CHECK(snprintf(path, sizeof path, "%s/%s/%s", folder, curve, name) < (int)sizeof path);
    FILE *file = fopen(path, "rb");
    CHECK(file && !fseek(file, 0, SEEK_END));
    *size = (size_t)ftell(file);
    rewind(file);
    copy_t made;
    made.block = (uint8_t *)malloc(*size ? *size : 1);
    made.data = made.block;
    CHECK(made.block && fread(made.block, 1, *size, file) == *size && !fclose(file));
    return made;
}

/* The proof and the public signals of a circuit, as texts. */
static bw_proof texts(const bw_buffer *proof, const bw_buffer *public_signals) {
    bw_proof made;
    made.proof = (const char *)bw_buffer_data(proof);
    made.proof_size = bw_buffer_size(proof);
    made.public_signals = (const char *)bw_buffer_data(public_signals);
    made.public_size = bw_buffer_size(public_signals);
    return made;
}

/* Loads a circuit from a file and from bytes: its properties, proofs and errors. */
static void circuits(const char *folder, const char *curve, uint32_t code) {
    size_t key_size, witness_size, other_size, text_size;
    copy_t key = contents_of(folder, curve, "power.zkey", &key_size);
    copy_t witness = contents_of(folder, curve, "power.wtns", &witness_size);
    copy_t other = contents_of(folder, strcmp(curve, "bn254") ? "bn254" : "bls12-381", "power.wtns", &other_size);
    copy_t text = contents_of(folder, curve, "verification_key.json", &text_size);
    char path[4096];
    CHECK(snprintf(path, sizeof path, "%s/%s/power.zkey", folder, curve) < (int)sizeof path);
    for (uint32_t flags = 0; flags < 4; flags++) {
        bw_circuit *circuit = NULL;
        if (flags & BW_CIRCUIT_RETAIN)
            OK(bw_circuit_from_file(path, flags, &circuit));
        else
            OK(bw_circuit_from_bytes(key.data, key_size, flags, &circuit));
        bw_circuit_properties properties;
        memset(&properties, 0, sizeof properties);
        FAILS(bw_circuit_info(circuit, &properties), BW_ERROR_ARGUMENT, "bw_circuit_properties");
        properties.size = sizeof properties;
        OK(bw_circuit_info(circuit, &properties));
        CHECK(properties.curve == code && properties.protocol == BW_PROTOCOL_GROTH16 && properties.signals > 2);
        CHECK(properties.public_signals == 2 && properties.domain_size >= 4 && properties.retained_bytes > 0);

        bw_buffer *made = NULL, *proof = NULL, *public_signals = NULL;
        OK(bw_circuit_verification_key(circuit, &made));
        CHECK(bw_buffer_size(made) == text_size && !memcmp(bw_buffer_data(made), text.data, text_size));

        OK(bw_circuit_prove(circuit, witness.data, witness_size, NULL, &proof, &public_signals));
        bw_proof claims[2] = {texts(proof, public_signals), texts(proof, public_signals)};
        size_t first_bad = 77;
        OK(bw_circuit_verify(circuit, claims, 2, &first_bad));
        CHECK(first_bad == BW_NO_INDEX);
        OK(bw_groth16_verify_many((const char *)text.data, text_size, claims, 2, &first_bad));
        CHECK(first_bad == BW_NO_INDEX);
        claims[1].public_signals = "[\"1\",\"2\"]";
        claims[1].public_size = strlen(claims[1].public_signals);
        OK(bw_circuit_verify(circuit, claims, 2, &first_bad));
        CHECK(first_bad == 1);
        claims[1].public_size--;
        FAILS(bw_circuit_verify(circuit, claims, 2, &first_bad), BW_ERROR_PROOF, "public signals");
        CHECK(bw_error_index() == 1);

        bw_buffer *none[2] = {NULL, NULL};
        FAILS(bw_circuit_prove(circuit, other.data, other_size, NULL, &none[0], &none[1]), BW_ERROR_WITNESS, "curve");
        FAILS(bw_circuit_prove(circuit, key.data, key_size, NULL, &none[0], &none[1]), BW_ERROR_WITNESS, "zkey");
        FAILS(bw_circuit_prove(circuit, NULL, 5, NULL, &none[0], &none[1]), BW_ERROR_NULL, "witness");
        FAILS(bw_circuit_prove(circuit, witness.data, witness_size, NULL, &none[0], NULL), BW_ERROR_NULL, "public");
        FAILS(bw_circuit_prove(NULL, witness.data, witness_size, NULL, &none[0], &none[1]), BW_ERROR_NULL, "circuit");
        bw_options options;
        memset(&options, 0, sizeof options);
        options.size = sizeof options;
        /* A proof in little memory holds. */
        bw_buffer *little[2] = {NULL, NULL};
        options.memory = BW_MEMORY_LEAST;
        OK(bw_circuit_prove(circuit, witness.data, witness_size, &options, &little[0], &little[1]));
        claims[1] = texts(little[0], little[1]);
        OK(bw_circuit_verify(circuit, claims, 2, &first_bad));
        CHECK(first_bad == BW_NO_INDEX);
        bw_buffer_free(little[0]);
        bw_buffer_free(little[1]);

        options.memory = 1;
        FAILS(bw_circuit_prove(circuit, witness.data, witness_size, &options, &none[0], &none[1]), BW_ERROR_MEMORY, "at least");
        bw_cancel *cancel = NULL;
        OK(bw_cancel_new(&cancel));
        OK(bw_cancel_request(cancel));
        options.memory = 0;
        options.cancel = cancel;
        FAILS(bw_circuit_prove(circuit, witness.data, witness_size, &options, &none[0], &none[1]), BW_ERROR_CANCELLED, "");
        bw_cancel_free(cancel);
        CHECK(!none[0] && !none[1]);

        /* A process that forks leaves the library's threads behind. */
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            alarm(60);
            FAILS(bw_circuit_prove(circuit, witness.data, witness_size, NULL, &none[0], &none[1]), BW_ERROR_FORKED, "forked");
            FAILS(bw_circuit_verify(circuit, claims, 1, &first_bad), BW_ERROR_FORKED, "forked");
            bw_bases *bases = NULL;
            FAILS(bw_bases_from_bytes(key.data, key_size, NULL, NULL, &bases), BW_ERROR_FORKED, "forked");
            /* The child does not call exit: valgrind would then miss the memory of the threads. */
            kill(getpid(), SIGKILL);
        }
        int status = 0;
        CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);

        bw_buffer_free(made);
        bw_buffer_free(proof);
        bw_buffer_free(public_signals);
        bw_circuit_free(circuit);
    }
    bw_circuit *none = NULL;
    FAILS(bw_circuit_from_bytes(witness.data, witness_size, 0, &none), BW_ERROR_KEY, "zkey");
    FAILS(bw_circuit_from_bytes(key.data, key_size - 1, BW_CIRCUIT_COPY, &none), BW_ERROR_KEY, "expected");
    FAILS(bw_circuit_from_bytes(key.data, key_size, 4, &none), BW_ERROR_ARGUMENT, "flags");
    FAILS(bw_circuit_from_file("/none/of/these", 0, &none), BW_ERROR_FILE, "/none/of/these");
    FAILS(bw_circuit_from_file(NULL, 0, &none), BW_ERROR_NULL, "path");
    CHECK(!none && !bw_buffer_data(NULL) && !bw_buffer_size(NULL));
    bw_circuit_free(NULL);
    bw_buffer_free(NULL);
    free(key.block);
    free(witness.block);
    free(other.block);
    free(text.block);
}

/* Proves inputs of a circuit of circom, without a file of its witness. */
static void inputs(const char *folder) {
    size_t key_size, wasm_size, inputs_size;
    copy_t key = contents_of(folder, "bn254", "arrays.zkey", &key_size);
    copy_t wasm = contents_of(folder, "bn254", "arrays.wasm", &wasm_size);
    copy_t text = contents_of(folder, "bn254", "arrays.json", &inputs_size);
    const char *json = (const char *)text.data;
    bw_circuit *circuit = NULL;
    bw_buffer *proof = NULL, *public_signals = NULL, *witness = NULL;
    OK(bw_circuit_from_bytes(key.data, key_size, 0, &circuit));
#ifdef HAS_CALCULATOR
    FAILS(bw_circuit_prove_inputs(circuit, json, inputs_size, NULL, &proof, &public_signals), BW_ERROR_ARGUMENT, "no witness calculator");
    FAILS(bw_circuit_load_wasm(circuit, json, inputs_size, NULL), BW_ERROR_WITNESS, "not a circuit");
    FAILS(bw_circuit_load_wasm(circuit, NULL, 5, NULL), BW_ERROR_NULL, "wasm");
    FAILS(bw_circuit_load_wasm(NULL, wasm.data, wasm_size, NULL), BW_ERROR_NULL, "circuit");
    OK(bw_circuit_load_wasm(circuit, wasm.data, wasm_size, NULL));
    FAILS(bw_circuit_prove_inputs(circuit, "{", 1, NULL, &proof, &public_signals), BW_ERROR_WITNESS, "JSON");
    FAILS(bw_circuit_prove_inputs(circuit, NULL, 5, NULL, &proof, &public_signals), BW_ERROR_NULL, "inputs");
    FAILS(bw_circuit_prove_inputs(circuit, json, inputs_size, NULL, NULL, &public_signals), BW_ERROR_NULL, "proof");
    FAILS(bw_circuit_prove_inputs(NULL, json, inputs_size, NULL, &proof, &public_signals), BW_ERROR_NULL, "circuit");
    CHECK(!proof && !public_signals);
    for (int i = 0; i < 2; i++) {
        OK(bw_circuit_prove_inputs(circuit, json, inputs_size, NULL, &proof, &public_signals));
        bw_proof claim = texts(proof, public_signals);
        size_t first_bad = 77;
        OK(bw_circuit_verify(circuit, &claim, 1, &first_bad));
        CHECK(first_bad == BW_NO_INDEX);
        bw_buffer_free(proof);
        bw_buffer_free(public_signals);
    }
    OK(bw_circuit_witness(wasm.data, wasm_size, json, inputs_size, NULL, &witness));
    OK(bw_circuit_prove(circuit, bw_buffer_data(witness), bw_buffer_size(witness), NULL, &proof, &public_signals));
#else
    FAILS(bw_circuit_load_wasm(circuit, wasm.data, wasm_size, NULL), BW_ERROR_ARGUMENT, "feature witness");
    FAILS(bw_circuit_prove_inputs(circuit, json, inputs_size, NULL, &proof, &public_signals), BW_ERROR_ARGUMENT, "feature witness");
    FAILS(bw_circuit_witness(wasm.data, wasm_size, json, inputs_size, NULL, &witness), BW_ERROR_ARGUMENT, "feature witness");
#endif
    bw_buffer_free(witness);
    bw_buffer_free(proof);
    bw_buffer_free(public_signals);
    bw_circuit_free(circuit);
    free(key.block);
    free(wasm.block);
    free(text.block);
}

/* X times X over the domain 1, -1: the quotient by X^2 - 1 is 1, and the remainder is 1, too. */
static void quotient(void) {
    uint64_t values[8] = {1, 0, 0, 0, 0, 0, 0, 0}, result[8] = {0};
    memcpy(values + 4, BN254_R, 32);
    values[4] -= 1;
    copy_t at = copy(values, sizeof values, 1), room = copy(result, sizeof result, 1);
    bw_scalars scalars = scalars_at(at.data, 2);
    OK(bw_quotient(BW_CURVE_BN254, 1, &scalars, &scalars, NULL, BW_ORDER_NATURAL, NULL, room.data, sizeof result));
    memcpy(result, room.data, sizeof result);
    /* 2^256 modulo the order. */
    const uint64_t r[4] = {0xac96341c4ffffffb, 0x36fc76959f60cd29, 0x666ea36f7879462e, 0x0e0a77c19a07df2f};
    CHECK(!memcmp(result, r, sizeof r) && is_zero(result + 4, 4));
    FAILS(bw_quotient(BW_CURVE_BN254, 1, &scalars, NULL, NULL, BW_ORDER_NATURAL, NULL, room.data, sizeof result), BW_ERROR_NULL, "b");
    FAILS(bw_quotient(BW_CURVE_BN254, 1, &scalars, &scalars, NULL, BW_ORDER_NATURAL, NULL, room.data, 63), BW_ERROR_BUFFER, "63 bytes");
    free(at.block);
    free(room.block);
}

/* A process that forks leaves the library's threads behind. */
static void forked(void) {
    bw_options options = defaults();
    bw_bases *bases = prepare(&BN254, BN254_G1, 1), *made = NULL;
    bw_stream *stream = NULL, *begun = NULL;
    OK(bw_stream_new(BN254.curve, BN254.group, 0, &options, &begun));
    uint64_t one[4] = {1}, result[8] = {0};
    bw_points points = points_at(BN254_G1, 1, BW_FORM_CANONICAL);
    bw_scalars scalars = scalars_at(one, 1);
    bw_sums sums = sums_at(result, sizeof result, BW_FORM_CANONICAL, BW_AFFINE);
    bw_plan_result plan;
    memset(&plan, 0, sizeof plan);
    plan.size = sizeof plan;
    size_t bad = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        FAILS(bw_msm(bases, &scalars, &options, &sums), BW_ERROR_FORKED, "forked");
        FAILS(bw_msm_many(bases, &scalars, 1, &options, &sums), BW_ERROR_FORKED, "forked");
        FAILS(bw_bases_from_points(BN254.curve, BN254.group, &points, &options, &made), BW_ERROR_FORKED, "forked");
        FAILS(bw_bases_write_table(bases, "/dev/null"), BW_ERROR_FORKED, "forked");
        FAILS(bw_stream_new(BN254.curve, BN254.group, 0, &options, &stream), BW_ERROR_FORKED, "forked");
        FAILS(bw_stream_update(begun, &points, &scalars), BW_ERROR_FORKED, "forked");
        FAILS(bw_stream_flush(begun, &sums), BW_ERROR_FORKED, "forked");
        FAILS(bw_plan(BN254.curve, BN254.group, 10, &options, &plan), BW_ERROR_FORKED, "forked");
        FAILS(bw_groth16_verify_many("{}", 2, NULL, 0, &bad), BW_ERROR_FORKED, "forked");
        CHECK(!made && !stream && is_zero(result, 8) && bw_bases_len(bases) == 1);
        bw_bases_free(bases);
        bw_stream_free(begun);
        /* The child does not call exit: valgrind would then miss the memory of the threads. */
        kill(getpid(), SIGKILL);
    }
    int status = 0;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    OK(bw_msm(bases, &scalars, &options, &sums));
    CHECK(!memcmp(result, BN254_G1, sizeof result));
    bw_bases_free(bases);
    bw_stream_free(begun);
}

int main(int count, char **arguments) {
    CHECK(count == 2);
    CHECK(bw_abi_version() == BW_ABI_VERSION && strchr(bw_version(), '.') && !*bw_error_message());
    for (size_t i = 0; i < sizeof GROUPS / sizeof *GROUPS; i++) {
        known_answers(&GROUPS[i]);
        linear(&GROUPS[i], arguments[1]);
    }
    pair();
    quotient();
    control();
    errors();
    circuits(arguments[1], "bn254", BW_CURVE_BN254);
    circuits(arguments[1], "bls12-381", BW_CURVE_BLS12_381);
    inputs(arguments[1]);
    forked();
    return 0;
}
