-- Names that are drawn alike (UTS 39). An account keeps its name's skeleton: the name in small letters, with each
-- letter outside ASCII as the one in ASCII that it looks like. ASCII stays, since names that are counted up by a program
--
-- The tables are made from confusables.txt of Unicode 10 (unicode-data.licence.txt). They are cut down to the letters
-- that a username may have and that look like ASCII.
create function username_skeleton(name text) returns text language sql immutable parallel safe as $$
  select lower(translate(name,
    U&'\a75a\01a7\03e8\a644\14bf\a6ef\a7ab\021c\01b7\a76a\2ccc\0417\04e0\+016f3b\+0118ca\13ce\+0118af\01bc\+0118bb'
    '\2cd2\0431\13ee\+0118d5\+0104d2\+0118c6\09ea\0a6a\+01e8cb\0223\0222\+01031a\0a67\0b68\09ed\0d6d\a76e\2cca'
    '\+0118cc\+0118ac\+0118d6\0251\03b1\0430\0391\0410\13aa\15c5\a4ee\+016f40\+0102a0\0184\042c\13cf\15af\a7b4'
    '\0392\0412\13f4\15f7\a4d0\+010282\+0102a1\+010301\1d04\2ca5\0441\abaf\+01043d\+0118f2\+0118e9\2ca4\0421\13df'
    '\a4da\+0102a2\+010302\+010415\+01051c\0501\13e7\146f\a4d2\13a0\15de\15ea\a4d3\ab32\0435\04bd\0395\0415\2d39'
    '\13ac\a4f0\+0118a6\+0118ae\+010286\ab35\a799\1e9d\0584\a798\03dc\15b4\a4dd\+0118c2\+0118a2\+010287\+0102a5'
    '\+010525\0261\1d83\018d\0581\050c\13c0\13f3\a4d6\04bb\0570\13c2\0397\2c8e\041d\13bb\157c\a4e7\+0102cf\0131'
    '\026a\0269\03b9\0456\a647\04cf\ab75\13a5\+0118c3\03f3\0458\a7b2\037f\0408\13ab\148d\a4d9\039a\2c94\041a\13e6'
    '\16d5\a4d7\+010518\0661\06f1\+010320\+01e8c7\0196\01c0\0399\2c92\0406\04c0\05d5\05df\0627\07ca\2d4f\16c1'
    '\a4f2\+016f28\+01028a\+010309\2cd0\13de\14aa\a4e1\+016f16\+0118a3\+0118b2\+01041b\+010526\039c\03fa\2c98'
    '\041c\13b7\15f0\16d6\a4df\+0102b0\+010311\+0118e3\+011700\0578\057c\039d\2c9a\a4e0\+010513\0966\0a66\0ae6'
    '\0be6\0c66\0ce6\0d66\0e50\0ed0\1040\0665\06f5\1d0f\1d11\ab3d\03bf\03c3\2c9f\043e\10ff\0585\05e1\0647\06be'
    '\06c1\06d5\0d20\101d\+0104ea\+0118c8\+0118d7\+01042c\07c0\09e6\0b66\3007\+0114d0\+0118e0\039f\2c9e\041e\0555'
    '\2d54\12d0\0b20\+0104c2\a4f3\+0118b5\+010292\+0102ab\+010404\+010516\03c1\2ca3\0440\03a1\2ca2\0420\13e2\146d'
    '\a4d1\+010295\051b\0563\0566\2d55\ab47\ab48\1d26\2c85\0433\ab81\01a6\13a1\13d2\+0104b4\1587\a4e3\+016f35'
    '\a731\01bd\0455\abaa\+0118c1\+010448\0405\054f\13d5\13da\a4e2\+016f3a\+010296\+010420\03a4\2ca6\0422\13a2'
    '\a4d4\+016f0a\+0118bc\+010297\+0102b1\+010315\a79f\1d1c\ab4e\ab52\028b\03c5\057d\+0104f6\+0118d8\054d\1200'
    '\+0104ce\144c\a4f4\+016f42\+0118b8\1d20\03bd\0475\05d8\+011706\aba9\+0118c0\0667\06f7\0474\2d38\13d9\142f'
    '\a6df\a4e6\+016f08\+0118a0\+01051d\026f\1d21\0461\051d\0561\+01170a\+01170e\+01170f\ab83\+0118ef\+0118e6'
    '\051c\13b3\13d4\a4ea\0445\1541\157d\+010322\+0118ec\a7b3\03a7\2cac\0425\2d5d\16b7\a4eb\+010290\+0102b4'
    '\+010317\+010527\0263\1d8c\028f\1eff\ab5a\03b3\0443\04af\10e7\+0118dc\03a5\2ca8\0423\04ae\13a9\13bd\a4ec'
    '\+016f43\+0118a4\+0102b2\1d22\ab93\+0118c4\+0102f5\+0118e5\0396\13c3\a4dc\+0118a9',
    '2222223333333334455666677888888999999999aaaaaaaaaabbbbbbbbbbbbbcccccccccccccccddddddddeeeeeeeeeeefffffffffff'
    'ffgggggggghhhhhhhhhhiiiiiiiiiijjjjjjjjkkkkkkklllllllllllllllllllllllllllllmmmmmmmmmmmmnnnnnnoooooooooooooooo'
    'ooooooooooooooooooooooooooooooooooooppppppppppqqqqrrrrrrrrrrrrrssssssssssssssttttttttttuuuuuuuuuuuuuuuuvvvvv'
    'vvvvvvvvvvvvvwwwwwwwwwwwwwwwxxxxxxxxxxxxxxxxyyyyyyyyyyyyyyyyyyyyzzzzzzzzz'))
$$;

-- Beside an admin's name more counts as alike: letters with marks and strokes, and what looks alike in ASCII.
create function admin_name_skeleton(name text) returns text language sql immutable parallel safe as $$
  select replace(replace(translate(regexp_replace(normalize(translate(username_skeleton(name),
    U&'\01bb\0498\0253\0183\0182\0411\0180\048d\048c\0463\0462\023c\04ab\04aa\0257\0256\018c\0111\0110\00d0\0189'
    '\0247\0246\04bf\0192\0191\1d6e\0260\01e5\01e4\0266\a695\13f2\2c67\04a2\0127\045b\0126\04c9\04c7\0268\1d7b'
    '\1d7c\0249\0248\0199\2c69\049a\a740\049e\0142\0141\026d\0197\019a\026b\0625\0673\04cd\0273\019e\03b7\019d'
    '\1d70\06ff\00f8\ab3e\00d8\2d41\01fe\0275\a74b\04e9\0473\ab8e\abbb\019f\a74a\03b8\0398\04e8\0472\2d31\13be'
    '\13eb\ab74\1010\01a5\1d7d\02a0\027d\027c\024d\0493\1d72\0282\1d74\01ad\023e\01ae\04ac\0167\0166\1d75\1d7e'
    '\ab9c\0244\13cc\047d\+0114c5\a761\04b2\01b4\024f\04b1\024e\04b0\0290\01b6\01b5\0225\0224\1d76',
    '23bbbbbbbbbcccdddddddeeefffggghhhhhhhhhhiiijjkkkkkllllllllmnnnnnoooooooooooooooooooooooppqrrrrrsstttttttuuuu'
    'wwwxyyyyyzzzzzz'),
    NFD), '[\u0300-\u036f]', '', 'g'), '1|i0', 'lllo'), 'rn', 'm'), 'vv', 'w')
$$;

-- Null where an older account has a name that looks the same: both can log in as before, and no third one is made.
alter table users add column name_skeleton text;
update users set name_skeleton = username_skeleton(username)
 where id in (select distinct on (username_skeleton(username)) id
                from users
               where deleted_at is null
               order by username_skeleton(username), created_at, id);
create unique index users_name_skeleton on users (name_skeleton) where name_skeleton is not null;
