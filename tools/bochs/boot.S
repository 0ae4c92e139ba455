/* The boot sector: switches to long mode with the AVX-512 registers enabled, reads the image from the disk, and
   jumps to it. The assembler gets SECTORS, the length of the image, with --defsym. Nothing uses interrupts. */

.set IMAGE, 0x1000000           /* As in image.ld. */
.set TABLES, 0x1000             /* Page tables: three pages from here. */

.code16
.globl _start
_start:
    cli
    xorw    %ax, %ax
    movw    %ax, %ds
    inb     $0x92, %al          /* Address line 20 on. */
    orb     $2, %al
    outb    %al, $0x92
    lgdt    gdt_pointer
    movl    %cr0, %eax
    orb     $1, %al             /* PE */
    movl    %eax, %cr0
    ljmp    $CODE32, $protected

.code32
protected:
    movw    $DATA, %ax
    movw    %ax, %ds
    movw    %ax, %es
    movw    %ax, %ss

    /* The first GiB mapped onto itself, in pages of 2 MiB. */
    movl    $TABLES, %edi
    xorl    %eax, %eax
    movl    $(3 * 4096 / 4), %ecx
    cld
    rep stosl
    movl    $(TABLES + 0x1000 + 3), TABLES          /* 3: present, writable */
    movl    $(TABLES + 0x2000 + 3), TABLES + 0x1000
    movl    $(TABLES + 0x2000), %edi
    movl    $0x83, %eax                             /* 0x80: a large page */
1:  movl    %eax, (%edi)
    addl    $8, %edi
    addl    $0x200000, %eax
    cmpl    $(TABLES + 0x3000), %edi
    jb      1b
    movl    $TABLES, %eax
    movl    %eax, %cr3

    movl    $0x40620, %eax      /* PAE, OSFXSR, OSXMMEXCPT, OSXSAVE */
    movl    %eax, %cr4
    movl    $0xc0000080, %ecx   /* EFER */
    rdmsr
    orl     $0x100, %eax        /* LME */
    wrmsr
    movl    %cr0, %eax
    andl    $~4, %eax           /* No EM, */
    orl     $0x80000002, %eax   /* but PG and MP. */
    movl    %eax, %cr0
    ljmp    $CODE64, $long

.code64
long:
    xorl    %ecx, %ecx
    xorl    %edx, %edx
    movl    $0xe7, %eax         /* XCR0: x87, SSE, AVX, and the three AVX-512 states */
    xsetbv

    /* Sectors 1..=SECTORS, one by one, with the disk controller's simplest command. */
    movl    $IMAGE, %edi
    movl    $1, %ebx
2:  movw    $0x1f2, %dx
    movb    $1, %al             /* One sector */
    outb    %al, %dx
    movl    %ebx, %eax          /* whose number has three bytes here */
    incl    %edx
    outb    %al, %dx
    shrl    $8, %eax
    incl    %edx
    outb    %al, %dx
    shrl    $8, %eax
    incl    %edx
    outb    %al, %dx
    movb    $0xe0, %al          /* and none of the fourth byte */
    incl    %edx
    outb    %al, %dx
    movb    $0x20, %al          /* is read. */
    incl    %edx
    outb    %al, %dx
3:  inb     %dx, %al
    andb    $0x88, %al
    cmpb    $8, %al             /* Not busy, and data is there. */
    jne     3b
    movw    $0x1f0, %dx
    movl    $(512 / 4), %ecx
    rep insl
    incl    %ebx
    cmpl    $SECTORS, %ebx
    jbe     2b

    movl    $IMAGE, %eax
    movl    %eax, %esp          /* The stack grows down from the image. */
    jmp     *%rax

.p2align 3
gdt:
    .quad 0
.set CODE32, . - gdt
    .quad 0x00cf9a000000ffff
.set DATA, . - gdt
    .quad 0x00cf92000000ffff
.set CODE64, . - gdt
    .quad 0x00af9a000000ffff
gdt_pointer:
    .word . - gdt - 1
    .long gdt

.org 510
.word 0xaa55
