(set-info :smt-lib-version 2.6)
(set-logic QF_LIA)
(set-info :source |
|)
(set-info :category "industrial")
(set-info :status unknown)
(declare-const schedule Bool)
(declare-const now Int)
(declare-const claim Bool)
(declare-const byte Int)
(declare-const region Int)
(declare-const fault_0 Bool)
(declare-const fault_1 Bool)
(declare-const fault_2 Bool)
(declare-const fault_3 Bool)
(declare-const fault_4 Bool)
(declare-const fault_5 Bool)
(declare-const fault_6 Bool)
(declare-const fault_7 Bool)
(declare-const fault_8 Bool)
(declare-const fault_9 Bool)
(declare-const fault_10 Bool)
(declare-const fault_11 Bool)
(declare-const fault_12 Bool)
(declare-const fault_13 Bool)
(declare-const fault_14 Bool)
(declare-const fault_15 Bool)
(declare-const fault_16 Bool)
(declare-const fault_17 Bool)
(declare-const fault_18 Bool)
(declare-const fault_19 Bool)
(declare-const fault_20 Bool)
(declare-const fault_21 Bool)
(declare-const fault_22 Bool)
(declare-const fault_23 Bool)
(declare-const fault_24 Bool)
(declare-const fault_25 Bool)
(declare-const fault_26 Bool)
(declare-const fault_27 Bool)
(declare-const fault_28 Bool)
(declare-const fault_29 Bool)
(declare-const fault_30 Bool)
(declare-const fault_31 Bool)
(declare-const fault_32 Bool)
(declare-const fault_33 Bool)
(declare-const fault_34 Bool)
(declare-const fault_35 Bool)
(declare-const fault_36 Bool)
(declare-const fault_37 Bool)
(declare-const fault_38 Bool)
(declare-const fault_39 Bool)
(declare-const fault_40 Bool)
(declare-const fault_41 Bool)
(declare-const fault_42 Bool)
(declare-const fault_43 Bool)
(declare-const fault_44 Bool)
(declare-const fault_45 Bool)
(declare-const fault_46 Bool)
(declare-const fault_47 Bool)
(declare-const fault_48 Bool)
(declare-const fault_49 Bool)
(declare-const fault_50 Bool)
(declare-const fault_51 Bool)
(declare-const fault_52 Bool)
(declare-const fault_53 Bool)
(declare-const fault_54 Bool)
(declare-const fault_55 Bool)
(declare-const fault_56 Bool)
(declare-const fault_57 Bool)
(declare-const fault_58 Bool)
(declare-const fault_59 Bool)
(declare-const fault_60 Bool)
(declare-const fault_61 Bool)
(declare-const fault_62 Bool)
(declare-const fault_63 Bool)
(declare-const fault_64 Bool)
(declare-const fault_65 Bool)
(declare-const fault_66 Bool)
(declare-const fault_67 Bool)
(declare-const fault_68 Bool)
(declare-const fault_69 Bool)
(declare-const fault_70 Bool)
(declare-const fault_71 Bool)
(declare-const fault_72 Bool)
(declare-const fault_73 Bool)
(declare-const row_10 Int)
(declare-const phase_10 Int)
(declare-const fault_74 Bool)
(declare-const fault_75 Bool)
(declare-const fault_76 Bool)
(declare-const circle Bool)
(declare-const in_circle_0 Bool)
(declare-const in_circle_1 Bool)
(declare-const in_circle_2 Bool)
(declare-const in_circle_3 Bool)
(declare-const in_circle_4 Bool)
(declare-const in_circle_5 Bool)
(declare-const in_circle_6 Bool)
(declare-const in_circle_7 Bool)
(declare-const in_circle_8 Bool)
(declare-const start_0 Int)
(declare-const end_0 Int)
(declare-const started_0 Bool)
(declare-const ended_0 Bool)
(declare-const start_1 Int)
(declare-const end_1 Int)
(declare-const started_1 Bool)
(declare-const ended_1 Bool)
(declare-const start_2 Int)
(declare-const end_2 Int)
(declare-const started_2 Bool)
(declare-const ended_2 Bool)
(declare-const start_3 Int)
(declare-const end_3 Int)
(declare-const started_3 Bool)
(declare-const ended_3 Bool)
(declare-const beginning Int)
(declare-const on_path_0 Bool)
(declare-const on_path_1 Bool)
(declare-const on_path_2 Bool)
(declare-const on_path_3 Bool)
(declare-const fault_77 Bool)
(declare-const fault_78 Bool)
(declare-const fault_79 Bool)
(declare-const overlap Bool)
(declare-const first_0 Bool)
(declare-const second_0 Bool)
(declare-const first_5 Bool)
(declare-const second_5 Bool)
(declare-const first_6 Bool)
(declare-const second_6 Bool)
(declare-const first_7 Bool)
(declare-const second_7 Bool)
(declare-const first_8 Bool)
(declare-const second_8 Bool)
(declare-const before_run Bool)
(declare-const meeting_0 Bool)
(declare-const meeting_2 Bool)
(declare-const meeting_3 Bool)
(declare-const meeting_outside Bool)
(declare-const law Bool)
; B47: r0 has no bytes
(assert (=> fault_0 (= 256 0)))
; B40: r0 is larger than 2^40 bytes
(assert (=> fault_1 (< 1099511627776 256)))
; B48: r0: its alignment is not a power of two
(assert (=> fault_2 (not (or (= 64 1) (= 64 2) (= 64 4) (= 64 8) (= 64 16) (= 64 32) (= 64 64) (= 64 128) (= 64 256) (= 64 512) (= 64 1024) (= 64 2048) (= 64 4096) (= 64 8192) (= 64 16384) (= 64 32768) (= 64 65536) (= 64 131072) (= 64 262144) (= 64 524288) (= 64 1048576) (= 64 2097152) (= 64 4194304) (= 64 8388608) (= 64 16777216) (= 64 33554432) (= 64 67108864) (= 64 134217728) (= 64 268435456) (= 64 536870912) (= 64 1073741824) (= 64 2147483648)))))
; B46: r0 holds weights but has no bytes to read
(assert (=> fault_3 (and (= 0 3) (= 0 0))))
; B47: r1 has no bytes
(assert (=> fault_4 (= 64 0)))
; B40: r1 is larger than 2^40 bytes
(assert (=> fault_5 (< 1099511627776 64)))
; B48: r1: its alignment is not a power of two
(assert (=> fault_6 (not (or (= 64 1) (= 64 2) (= 64 4) (= 64 8) (= 64 16) (= 64 32) (= 64 64) (= 64 128) (= 64 256) (= 64 512) (= 64 1024) (= 64 2048) (= 64 4096) (= 64 8192) (= 64 16384) (= 64 32768) (= 64 65536) (= 64 131072) (= 64 262144) (= 64 524288) (= 64 1048576) (= 64 2097152) (= 64 4194304) (= 64 8388608) (= 64 16777216) (= 64 33554432) (= 64 67108864) (= 64 134217728) (= 64 268435456) (= 64 536870912) (= 64 1073741824) (= 64 2147483648)))))
; B46: r1 holds weights but has no bytes to read
(assert (=> fault_7 (and (= 0 3) (= 0 0))))
; B47: weights has no bytes
(assert (=> fault_8 (= 64 0)))
; B40: weights is larger than 2^40 bytes
(assert (=> fault_9 (< 1099511627776 64)))
; B48: weights: its alignment is not a power of two
(assert (=> fault_10 (not (or (= 64 1) (= 64 2) (= 64 4) (= 64 8) (= 64 16) (= 64 32) (= 64 64) (= 64 128) (= 64 256) (= 64 512) (= 64 1024) (= 64 2048) (= 64 4096) (= 64 8192) (= 64 16384) (= 64 32768) (= 64 65536) (= 64 131072) (= 64 262144) (= 64 524288) (= 64 1048576) (= 64 2097152) (= 64 4194304) (= 64 8388608) (= 64 16777216) (= 64 33554432) (= 64 67108864) (= 64 134217728) (= 64 268435456) (= 64 536870912) (= 64 1073741824) (= 64 2147483648)))))
; B46: weights holds weights but has no bytes to read
(assert (=> fault_11 (and (= 3 3) (= 0 0))))
; B47: in has no bytes
(assert (=> fault_12 (= 64 0)))
; B40: in is larger than 2^40 bytes
(assert (=> fault_13 (< 1099511627776 64)))
; B48: in: its alignment is not a power of two
(assert (=> fault_14 (not (or (= 64 1) (= 64 2) (= 64 4) (= 64 8) (= 64 16) (= 64 32) (= 64 64) (= 64 128) (= 64 256) (= 64 512) (= 64 1024) (= 64 2048) (= 64 4096) (= 64 8192) (= 64 16384) (= 64 32768) (= 64 65536) (= 64 131072) (= 64 262144) (= 64 524288) (= 64 1048576) (= 64 2097152) (= 64 4194304) (= 64 8388608) (= 64 16777216) (= 64 33554432) (= 64 67108864) (= 64 134217728) (= 64 268435456) (= 64 536870912) (= 64 1073741824) (= 64 2147483648)))))
; B46: in holds weights but has no bytes to read
(assert (=> fault_15 (and (= 1 3) (= 0 0))))
; B49: tensor 0 (op0.w0): its lifetime does not begin and end at ops
(assert (=> fault_16 (and (or (not (= 0 4294967295)) (not (= 2 4294967295))) (not (and (< 0 4) (< 2 4))))))
; B47: tensor 0 (op0.w0) has no bytes
(assert (=> fault_17 (or (= 16 0) (= 16 0) (= 1 0))))
; B41: tensor 0 (op0.w0): offset + size wraps
(assert (=> fault_18 (and (not (or (= 16 0) (= 16 0) (= 1 0))) (<= (+ 18446744073709551615 1) (+ 0 16)))))
; B32: tensor 0 (op0.w0): its extent is not what its blocks span
(assert (=> fault_19 (and (not (or (= 16 0) (= 16 0) (= 1 0))) (and (<= 16 1099511627776) (<= 0 1099511627776)) (not (and (= 16 (+ (* 0 0) 16)) (or (= 0 0) (and (<= 16 0) (<= 0 1099511627776))))))))
; B40: tensor 0 (op0.w0) does not fit in r0
(assert (=> fault_20 (< 256 (+ 0 16))))
; B48: tensor 0 (op0.w0) is not aligned to 1 bytes
(assert (=> fault_21 (or (not (or (= 1 1) (= 1 2) (= 1 4) (= 1 8) (= 1 16) (= 1 32) (= 1 64) (= 1 128) (= 1 256) (= 1 512) (= 1 1024) (= 1 2048) (= 1 4096) (= 1 8192) (= 1 16384) (= 1 32768) (= 1 65536) (= 1 131072) (= 1 262144) (= 1 524288) (= 1 1048576) (= 1 2097152) (= 1 4194304) (= 1 8388608) (= 1 16777216) (= 1 33554432) (= 1 67108864) (= 1 134217728) (= 1 268435456) (= 1 536870912) (= 1 1073741824) (= 1 2147483648))) (< 64 1) (not (= 0 (* 1 0))))))
; B49: tensor 1 (op0.w1): its lifetime does not begin and end at ops
(assert (=> fault_22 (and (or (not (= 4294967295 4294967295)) (not (= 4294967295 4294967295))) (not (and (< 4294967295 4) (< 4294967295 4))))))
; B44: tensor 1 (op0.w1) is a view of tensor 2 (op1.r0) of another type
(assert (=> fault_23 (not (= 0 0))))
; B43: tensor 1 (op0.w1) is a view of tensor 2 (op1.r0), but does not lie inside it
(assert (=> fault_24 (not (and (= 1 0) (<= 4 8) (<= (+ 8 8) (+ 4 24))))))
; B47: tensor 1 (op0.w1) has no bytes
(assert (=> fault_25 (or (= 8 0) (= 8 0) (= 1 0))))
; B41: tensor 1 (op0.w1): offset + size wraps
(assert (=> fault_26 (and (not (or (= 8 0) (= 8 0) (= 1 0))) (<= (+ 18446744073709551615 1) (+ 8 8)))))
; B32: tensor 1 (op0.w1): its extent is not what its blocks span
(assert (=> fault_27 (and (not (or (= 8 0) (= 8 0) (= 1 0))) (and (<= 8 1099511627776) (<= 8 1099511627776)) (not (and (= 8 (+ (* 0 0) 8)) (or (= 0 0) (and (<= 8 0) (<= 0 1099511627776))))))))
; B40: tensor 1 (op0.w1) does not fit in r1
(assert (=> fault_28 (< 64 (+ 8 8))))
; B48: tensor 1 (op0.w1) is not aligned to 1 bytes
(assert (=> fault_29 (or (not (or (= 1 1) (= 1 2) (= 1 4) (= 1 8) (= 1 16) (= 1 32) (= 1 64) (= 1 128) (= 1 256) (= 1 512) (= 1 1024) (= 1 2048) (= 1 4096) (= 1 8192) (= 1 16384) (= 1 32768) (= 1 65536) (= 1 131072) (= 1 262144) (= 1 524288) (= 1 1048576) (= 1 2097152) (= 1 4194304) (= 1 8388608) (= 1 16777216) (= 1 33554432) (= 1 67108864) (= 1 134217728) (= 1 268435456) (= 1 536870912) (= 1 1073741824) (= 1 2147483648))) (< 64 1) (not (= 8 (* 1 8))))))
; B49: tensor 2 (op1.r0): its lifetime does not begin and end at ops
(assert (=> fault_30 (and (or (not (= 4294967295 4294967295)) (not (= 4294967295 4294967295))) (not (and (< 4294967295 4) (< 4294967295 4))))))
; B44: tensor 2 (op1.r0) is a view of tensor 1 (op0.w1) of another type
(assert (=> fault_31 (not (= 0 0))))
; B43: tensor 2 (op1.r0) is a view of tensor 1 (op0.w1), but does not lie inside it
(assert (=> fault_32 (not (and (= 0 1) (<= 8 4) (<= (+ 4 24) (+ 8 8))))))
; B47: tensor 2 (op1.r0) has no bytes
(assert (=> fault_33 (or (= 24 0) (= 4 0) (= 3 0))))
; B41: tensor 2 (op1.r0): offset + size wraps
(assert (=> fault_34 (and (not (or (= 24 0) (= 4 0) (= 3 0))) (<= (+ 18446744073709551615 1) (+ 4 24)))))
; B32: tensor 2 (op1.r0): its extent is not what its blocks span
(assert (=> fault_35 (and (not (or (= 24 0) (= 4 0) (= 3 0))) (and (<= 24 1099511627776) (<= 4 1099511627776)) (not (and (= 24 (+ (* 2 10) 4)) (or (= 2 0) (and (<= 4 10) (<= 10 1099511627776))))))))
; B40: tensor 2 (op1.r0) does not fit in r0
(assert (=> fault_36 (< 256 (+ 4 24))))
; B48: tensor 2 (op1.r0) is not aligned to 1 bytes
(assert (=> fault_37 (or (not (or (= 1 1) (= 1 2) (= 1 4) (= 1 8) (= 1 16) (= 1 32) (= 1 64) (= 1 128) (= 1 256) (= 1 512) (= 1 1024) (= 1 2048) (= 1 4096) (= 1 8192) (= 1 16384) (= 1 32768) (= 1 65536) (= 1 131072) (= 1 262144) (= 1 524288) (= 1 1048576) (= 1 2097152) (= 1 4194304) (= 1 8388608) (= 1 16777216) (= 1 33554432) (= 1 67108864) (= 1 134217728) (= 1 268435456) (= 1 536870912) (= 1 1073741824) (= 1 2147483648))) (< 64 1) (not (= 4 (* 1 4))))))
; B49: tensor 3 (op1.w0): its lifetime does not begin and end at ops
(assert (=> fault_38 (and (or (not (= 4294967295 4294967295)) (not (= 4294967295 4294967295))) (not (and (< 4294967295 4) (< 4294967295 4))))))
; B09: tensor 3 (op1.w0) is a view of tensor 99, which does not exist
(assert (=> fault_39 true))
; B47: tensor 3 (op1.w0) has no bytes
(assert (=> fault_40 (or (= 17 0) (= 7 0) (= 2 0))))
; B41: tensor 3 (op1.w0): offset + size wraps
(assert (=> fault_41 (and (not (or (= 17 0) (= 7 0) (= 2 0))) (<= (+ 18446744073709551615 1) (+ 29 17)))))
; B32: tensor 3 (op1.w0): its extent is not what its blocks span
(assert (=> fault_42 (and (not (or (= 17 0) (= 7 0) (= 2 0))) (and (<= 17 1099511627776) (<= 29 1099511627776)) (not (and (= 17 (+ (* 1 10) 7)) (or (= 1 0) (and (<= 7 10) (<= 10 1099511627776))))))))
; B40: tensor 3 (op1.w0) does not fit in r0
(assert (=> fault_43 (< 256 (+ 29 17))))
; B48: tensor 3 (op1.w0) is not aligned to 1 bytes
(assert (=> fault_44 (or (not (or (= 1 1) (= 1 2) (= 1 4) (= 1 8) (= 1 16) (= 1 32) (= 1 64) (= 1 128) (= 1 256) (= 1 512) (= 1 1024) (= 1 2048) (= 1 4096) (= 1 8192) (= 1 16384) (= 1 32768) (= 1 65536) (= 1 131072) (= 1 262144) (= 1 524288) (= 1 1048576) (= 1 2097152) (= 1 4194304) (= 1 8388608) (= 1 16777216) (= 1 33554432) (= 1 67108864) (= 1 134217728) (= 1 268435456) (= 1 536870912) (= 1 1073741824) (= 1 2147483648))) (< 64 1) (not (= 29 (* 1 29))))))
; B49: tensor 4 (op1.w1): its lifetime does not begin and end at ops
(assert (=> fault_45 (and (or (not (= 4294967295 4294967295)) (not (= 4294967295 4294967295))) (not (and (< 4294967295 4) (< 4294967295 4))))))
; B09: tensor 4 (op1.w1) lies in a region that does not exist
(assert (=> fault_46 true))
; B49: tensor 5 (op2.r0): its lifetime does not begin and end at ops
(assert (=> fault_47 (and (or (not (= 4294967295 4294967295)) (not (= 4294967295 4294967295))) (not (and (< 4294967295 4) (< 4294967295 4))))))
; B47: tensor 5 (op2.r0) has no bytes
(assert (=> fault_48 (or (= 16 0) (= 16 0) (= 1 0))))
; B41: tensor 5 (op2.r0): offset + size wraps
(assert (=> fault_49 (and (not (or (= 16 0) (= 16 0) (= 1 0))) (<= (+ 18446744073709551615 1) (+ 0 16)))))
; B32: tensor 5 (op2.r0): its extent is not what its blocks span
(assert (=> fault_50 (and (not (or (= 16 0) (= 16 0) (= 1 0))) (and (<= 16 1099511627776) (<= 0 1099511627776)) (not (and (= 16 (+ (* 0 0) 16)) (or (= 0 0) (and (<= 16 0) (<= 0 1099511627776))))))))
; B40: tensor 5 (op2.r0) does not fit in r0
(assert (=> fault_51 (< 256 (+ 0 16))))
; B48: tensor 5 (op2.r0) is not aligned to 3 bytes
(assert (=> fault_52 (or (not (or (= 3 1) (= 3 2) (= 3 4) (= 3 8) (= 3 16) (= 3 32) (= 3 64) (= 3 128) (= 3 256) (= 3 512) (= 3 1024) (= 3 2048) (= 3 4096) (= 3 8192) (= 3 16384) (= 3 32768) (= 3 65536) (= 3 131072) (= 3 262144) (= 3 524288) (= 3 1048576) (= 3 2097152) (= 3 4194304) (= 3 8388608) (= 3 16777216) (= 3 33554432) (= 3 67108864) (= 3 134217728) (= 3 268435456) (= 3 536870912) (= 3 1073741824) (= 3 2147483648))) (< 64 3) (not (= 0 (* 3 0))))))
; B49: tensor 6 (op2.r1): its lifetime does not begin and end at ops
(assert (=> fault_53 (and (or (not (= 3 4294967295)) (not (= 4294967295 4294967295))) (not (and (< 3 4) (< 4294967295 4))))))
; B47: tensor 6 (op2.r1) has no bytes
(assert (=> fault_54 (or (= 8 0) (= 8 0) (= 1 0))))
; B41: tensor 6 (op2.r1): offset + size wraps
(assert (=> fault_55 (and (not (or (= 8 0) (= 8 0) (= 1 0))) (<= (+ 18446744073709551615 1) (+ 0 8)))))
; B32: tensor 6 (op2.r1): its extent is not what its blocks span
(assert (=> fault_56 (and (not (or (= 8 0) (= 8 0) (= 1 0))) (and (<= 8 1099511627776) (<= 0 1099511627776)) (not (and (= 8 (+ (* 0 0) 8)) (or (= 0 0) (and (<= 8 0) (<= 0 1099511627776))))))))
; B40: tensor 6 (op2.r1) does not fit in r1
(assert (=> fault_57 (< 64 (+ 0 8))))
; B48: tensor 6 (op2.r1) is not aligned to 1 bytes
(assert (=> fault_58 (or (not (or (= 1 1) (= 1 2) (= 1 4) (= 1 8) (= 1 16) (= 1 32) (= 1 64) (= 1 128) (= 1 256) (= 1 512) (= 1 1024) (= 1 2048) (= 1 4096) (= 1 8192) (= 1 16384) (= 1 32768) (= 1 65536) (= 1 131072) (= 1 262144) (= 1 524288) (= 1 1048576) (= 1 2097152) (= 1 4194304) (= 1 8388608) (= 1 16777216) (= 1 33554432) (= 1 67108864) (= 1 134217728) (= 1 268435456) (= 1 536870912) (= 1 1073741824) (= 1 2147483648))) (< 64 1) (not (= 0 (* 1 0))))))
; B49: tensor 7 (op2.s0): its lifetime does not begin and end at ops
(assert (=> fault_59 (and (or (not (= 4294967295 4294967295)) (not (= 4294967295 4294967295))) (not (and (< 4294967295 4) (< 4294967295 4))))))
; B47: tensor 7 (op2.s0) has no bytes
(assert (=> fault_60 (or (= 16 0) (= 16 0) (= 1 0))))
; B41: tensor 7 (op2.s0): offset + size wraps
(assert (=> fault_61 (and (not (or (= 16 0) (= 16 0) (= 1 0))) (<= (+ 18446744073709551615 1) (+ 128 16)))))
; B32: tensor 7 (op2.s0): its extent is not what its blocks span
(assert (=> fault_62 (and (not (or (= 16 0) (= 16 0) (= 1 0))) (and (<= 16 1099511627776) (<= 128 1099511627776)) (not (and (= 16 (+ (* 0 0) 16)) (or (= 0 0) (and (<= 16 0) (<= 0 1099511627776))))))))
; B40: tensor 7 (op2.s0) does not fit in r0
(assert (=> fault_63 (< 256 (+ 128 16))))
; B48: tensor 7 (op2.s0) is not aligned to 1 bytes
(assert (=> fault_64 (or (not (or (= 1 1) (= 1 2) (= 1 4) (= 1 8) (= 1 16) (= 1 32) (= 1 64) (= 1 128) (= 1 256) (= 1 512) (= 1 1024) (= 1 2048) (= 1 4096) (= 1 8192) (= 1 16384) (= 1 32768) (= 1 65536) (= 1 131072) (= 1 262144) (= 1 524288) (= 1 1048576) (= 1 2097152) (= 1 4194304) (= 1 8388608) (= 1 16777216) (= 1 33554432) (= 1 67108864) (= 1 134217728) (= 1 268435456) (= 1 536870912) (= 1 1073741824) (= 1 2147483648))) (< 64 1) (not (= 128 (* 1 128))))))
; B49: tensor 8 (op0.w0): its lifetime does not begin and end at ops
(assert (=> fault_65 (and (or (not (= 0 4294967295)) (not (= 2 4294967295))) (not (and (< 0 4) (< 2 4))))))
; B47: tensor 8 (op0.w0) has no bytes
(assert (=> fault_66 (or (= 16 0) (= 16 0) (= 1 0))))
; B41: tensor 8 (op0.w0): offset + size wraps
(assert (=> fault_67 (and (not (or (= 16 0) (= 16 0) (= 1 0))) (<= (+ 18446744073709551615 1) (+ 0 16)))))
; B32: tensor 8 (op0.w0): its extent is not what its blocks span
(assert (=> fault_68 (and (not (or (= 16 0) (= 16 0) (= 1 0))) (and (<= 16 1099511627776) (<= 0 1099511627776)) (not (and (= 16 (+ (* 0 0) 16)) (or (= 0 0) (and (<= 16 0) (<= 0 1099511627776))))))))
; B40: tensor 8 (op0.w0) does not fit in in
(assert (=> fault_69 (< 64 (+ 0 16))))
; B48: tensor 8 (op0.w0) is not aligned to 1 bytes
(assert (=> fault_70 (or (not (or (= 1 1) (= 1 2) (= 1 4) (= 1 8) (= 1 16) (= 1 32) (= 1 64) (= 1 128) (= 1 256) (= 1 512) (= 1 1024) (= 1 2048) (= 1 4096) (= 1 8192) (= 1 16384) (= 1 32768) (= 1 65536) (= 1 131072) (= 1 262144) (= 1 524288) (= 1 1048576) (= 1 2097152) (= 1 4194304) (= 1 8388608) (= 1 16777216) (= 1 33554432) (= 1 67108864) (= 1 134217728) (= 1 268435456) (= 1 536870912) (= 1 1073741824) (= 1 2147483648))) (< 64 1) (not (= 0 (* 1 0))))))
; B46: op 0 (op0) writes tensor 0 (op0.w0), which lies in read-only r0
(assert (=> fault_71 (or (= 0 3) (= 0 1))))
; B46: op 0 (op0) writes tensor 1 (op0.w1), which lies in read-only r1
(assert (=> fault_72 (or (= 0 3) (= 0 1))))
; B46: op 1 (op1) writes tensor 3 (op1.w0), which lies in read-only r0
(assert (=> fault_73 (or (= 0 3) (= 0 1))))
; the byte, by rows of 10 bytes
(assert (= byte (+ (* 10 row_10) phase_10)))
(assert (<= 0 row_10))
(assert (and (<= 0 phase_10) (< phase_10 10)))
; B45: op 1 (op1) writes tensor 3 (op1.w0) over its input tensor 2 (op1.r0) but is not declared in place
(assert (=> fault_74 (and (= 0 0) (and (and (<= 4 byte) (< byte 28)) (and (and (<= 0 row_10) (< row_10 3)) (and (<= 4 phase_10) (< phase_10 8)))) (and (and (<= 29 byte) (< byte 46)) (or (and (and (<= 2 row_10) (< row_10 4)) (and (<= 9 phase_10) (< phase_10 10))) (and (and (<= 3 row_10) (< row_10 5)) (< phase_10 6)))))))
; B45: op 1 (op1) writes tensor 4 (op1.w1) over its input tensor 2 (op1.r0) but is not declared in place
(assert (=> fault_75 (and (= 0 9) (and (and (<= 4 byte) (< byte 28)) (and (and (<= 0 row_10) (< row_10 3)) (and (<= 4 phase_10) (< phase_10 8)))) (and (and (<= 60 byte) (< byte 80)) (and (and (<= 6 row_10) (< row_10 8)) (and (<= 0 phase_10) (< phase_10 10)))))))
; B46: op 2 (op2) writes tensor 7 (op2.s0), which lies in read-only r0
(assert (=> fault_76 (or (= 0 3) (= 0 1))))
(assert (=> in_circle_0 false))
(assert (=> in_circle_1 in_circle_2))
(assert (=> in_circle_2 in_circle_1))
(assert (=> in_circle_3 false))
(assert (=> in_circle_4 false))
(assert (=> in_circle_5 false))
(assert (=> in_circle_6 false))
(assert (=> in_circle_7 false))
(assert (=> in_circle_8 false))
; B43: views in a circle
(assert (=> circle (or in_circle_0 in_circle_1 in_circle_2 in_circle_3 in_circle_4 in_circle_5 in_circle_6 in_circle_7 in_circle_8)))
; op 0 (op0)
(assert (=> schedule (and (<= 0 start_0) (< start_0 end_0))))
(assert (=> schedule (= started_0 (<= start_0 now))))
(assert (=> schedule (= ended_0 (<= end_0 now))))
; follows
(assert (=> schedule (=> ended_0 started_0)))
; op 1 (op1)
(assert (=> schedule (and (<= 0 start_1) (< start_1 end_1))))
(assert (=> schedule (= started_1 (<= start_1 now))))
(assert (=> schedule (= ended_1 (<= end_1 now))))
; follows
(assert (=> schedule (=> ended_1 started_1)))
; op 2 (op2)
(assert (=> schedule (and (<= 0 start_2) (< start_2 end_2))))
(assert (=> schedule (= started_2 (<= start_2 now))))
(assert (=> schedule (= ended_2 (<= end_2 now))))
; follows
(assert (=> schedule (=> ended_2 started_2)))
; op 3 (op3)
(assert (=> schedule (and (<= 0 start_3) (< start_3 end_3))))
(assert (=> schedule (= started_3 (<= start_3 now))))
(assert (=> schedule (= ended_3 (<= end_3 now))))
; follows
(assert (=> schedule (=> ended_3 started_3)))
; op 0 (op0) precedes op 2 (op2)
(assert (=> schedule (<= end_0 start_2)))
; follows
(assert (=> schedule (=> started_2 ended_0)))
; op 1 (op1) precedes op 3 (op3)
(assert (=> schedule (<= end_1 start_3)))
; follows
(assert (=> schedule (=> started_3 ended_1)))
(assert (=> on_path_0 (or (= beginning 0) on_path_2)))
(assert (=> on_path_1 (or (= beginning 1) on_path_3)))
(assert (=> on_path_2 (= beginning 2)))
(assert (=> on_path_3 (= beginning 3)))
; B49: tensor 0 (op0.w0): its lifetime ends before it begins
(assert (=> fault_77 (and schedule on_path_2 (= beginning 0))))
; B49: tensor 8 (op0.w0): its lifetime ends before it begins
(assert (=> fault_78 (and schedule on_path_2 (= beginning 0))))
; B49: op 0 (op0) uses tensor 0 (op0.w0) outside of its lifetime
(assert (=> fault_79 (or (< 0 0) (< 2 0))))
; tensor 0 (op0.w0) as the first
(assert (=> first_0 (and (and (or started_0 started_2) (or (not ended_0) (not ended_2))) (= region 0) (and (<= 0 byte) (< byte 16)))))
; tensor 0 (op0.w0) as the second
(assert (=> second_0 (and (and (or started_0 started_2) (or (not ended_0) (not ended_2))) (= region 0) (and (<= 0 byte) (< byte 16)))))
(assert (not (and first_0 second_0)))
; tensor 5 (op2.r0) as the first
(assert (=> first_5 (and (and started_2 (not ended_2)) (= region 0) (and (<= 0 byte) (< byte 16)))))
; tensor 5 (op2.r0) as the second
(assert (=> second_5 (and (and started_2 (not ended_2)) (= region 0) (and (<= 0 byte) (< byte 16)))))
(assert (not (and first_5 second_5)))
; tensor 6 (op2.r1) as the first
(assert (=> first_6 (and (and (or started_2 started_3) (or (not ended_2) (not ended_3))) (= region 1) (and (<= 0 byte) (< byte 8)))))
; tensor 6 (op2.r1) as the second
(assert (=> second_6 (and (and (or started_2 started_3) (or (not ended_2) (not ended_3))) (= region 1) (and (<= 0 byte) (< byte 8)))))
(assert (not (and first_6 second_6)))
; tensor 7 (op2.s0) as the first
(assert (=> first_7 (and (and started_2 (not ended_2)) (= region 0) (and (<= 128 byte) (< byte 144)))))
; tensor 7 (op2.s0) as the second
(assert (=> second_7 (and (and started_2 (not ended_2)) (= region 0) (and (<= 128 byte) (< byte 144)))))
(assert (not (and first_7 second_7)))
(assert (=> before_run (not started_0)))
(assert (=> before_run (not started_1)))
(assert (=> before_run (not started_2)))
(assert (=> before_run (not started_3)))
; tensor 8 (op0.w0) as the first
(assert (=> first_8 (and (and (or started_2 true) (or (not ended_2) before_run)) (= region 3) (and (<= 0 byte) (< byte 16)))))
; tensor 8 (op0.w0) as the second
(assert (=> second_8 (and (and (or started_2 true) (or (not ended_2) before_run)) (= region 3) (and (<= 0 byte) (< byte 16)))))
(assert (not (and first_8 second_8)))
(assert (=> meeting_0 (and (and started_0 (not ended_0)) (or first_0 second_0))))
(assert (=> meeting_2 (and (and started_2 (not ended_2)) (or first_0 second_0 first_5 second_5 first_6 second_6 first_7 second_7 first_8 second_8))))
(assert (=> meeting_3 (and (and started_3 (not ended_3)) (or first_6 second_6))))
(assert (=> meeting_outside (and before_run (or first_8 second_8))))
; B42: two tensors that live at once share a byte
(assert (=> overlap (and schedule (or first_0 first_5 first_6 first_7 first_8) (or second_0 second_5 second_6 second_7 second_8) (or meeting_0 meeting_2 meeting_3 meeting_outside))))
(assert (=> law (or circle fault_0 fault_1 fault_2 fault_3 fault_4 fault_5 fault_6 fault_7 fault_8 fault_9 fault_10 fault_11 fault_12 fault_13 fault_14 fault_15 fault_16 fault_17 fault_18 fault_19 fault_20 fault_21 fault_22 fault_23 fault_24 fault_25 fault_26 fault_27 fault_28 fault_29 fault_30 fault_31 fault_32 fault_33 fault_34 fault_35 fault_36 fault_37 fault_38 fault_39 fault_40 fault_41 fault_42 fault_43 fault_44 fault_45 fault_46 fault_47 fault_48 fault_49 fault_50 fault_51 fault_52 fault_53 fault_54 fault_55 fault_56 fault_57 fault_58 fault_59 fault_60 fault_61 fault_62 fault_63 fault_64 fault_65 fault_66 fault_67 fault_68 fault_69 fault_70 fault_71 fault_72 fault_73 fault_74 fault_75 fault_76 fault_77 fault_78 fault_79)))
; the claim: a law is broken
(assert (=> claim (or law overlap)))
(assert claim)
(check-sat)
(exit)
