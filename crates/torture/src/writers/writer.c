/* writer TABLE ROUNDS POINTS...: a thread for each file of points writes its table again and again; 0 rounds: for ever. */
#include <bucketwheel.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static const char *table;
static long rounds;

static void *write_table(void *points) {
    bw_options options = {0};
    bw_bases *bases = NULL;
    long round;
    options.size = sizeof options;
    options.copies = 2;
    if (bw_bases_from_file((const char *)points, NULL, &options, &bases) != BW_OK) goto failed;
    for (round = 0; rounds == 0 || round < rounds; round++)
        if (bw_bases_write_table(bases, table) != BW_OK) goto failed;
    bw_bases_free(bases);
    return NULL;
failed:
    fprintf(stderr, "%s\n", bw_error_message());
    exit(1);
}

int main(int argc, char **argv) {
    enum { MOST = 8 };
    pthread_t threads[MOST];
    int i, count = argc - 3 < MOST ? argc - 3 : MOST;
    table = argv[1];
    rounds = atol(argv[2]);
    for (i = 0; i < count; i++)
        if (pthread_create(&threads[i], NULL, write_table, argv[i + 3])) return 1;
    for (i = 0; i < count; i++) pthread_join(threads[i], NULL);
    return 0;
}
