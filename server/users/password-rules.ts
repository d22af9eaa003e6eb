/** Which passwords are no secret. */
import { Refusal } from '../../contract/errors.ts'

/** The most used passwords of eight characters and more: only the very same ones are refused. */
const COMMON = new Set(
  `00000000 000000000 0000000000 01234567 0123456789 0987654321 10203040 102030405060 1029384756 11111111 111111111
  1111111111 11112222 11223344 1122334455 112233445566 12121212 12312312 123123123 123321123 12341234 12344321
  1234554321 12345678 123456780 123456789 1234567890 12345678910 123456789a 123456789q 12345678a 12345678q 1234567a
  1234567q 123456aa 123456ab 123456abc 123456qw 12345abc 12345qwe 12345qwert 1234qwer 123654789 123698745 12qwaszx
  13131313 14725836 147258369 1a2b3c4d 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc 1qaz@wsx 1qazxsw2
  22222222 222222222 23456789 33333333 44444444 55555555 555555555 66666666 666666666 77777777 777777777 87654321
  88888888 888888888 963852741 98765432 987654321 9876543210 99999999 999999999 a1234567 a12345678 a123456789 aa123456
  aaaaaaaa aaaaaaaaa abc12345 abc123456 abcabc123 abcd1234 abcd12345 abcdefgh abcdefghi access14 adgjmptw admin123
  admin1234 admin12345 admin123456 administrator alexander america1 anderson angel123 asasasas asd12345 asdasdasd
  asdf1234 asdfasdf asdfghjk asdfghjkl asdfghjkl123 azertyuiop babygirl babygirl1 barcelona baseball baseball1
  basketball batman123 bharat123 bismillah biteme123 blink182 buster123 butterfly california carolina caroline
  cellphone changeme changeme1 charlie1 charlotte chelsea1 chocolate christian christine computer computer1 consumer
  corvette cricket123 danielle december default1 dolphins dragon123 elephant elizabeth emmanuel england1 estrella
  fantasia felicidad firebird flowers1 football football1 forever1 freedom1 friends1 fuckyou1 fuckyou123 ganesh123
  geraldine gfhjkmgfhjkm godzilla goodluck google123 guitar123 hannah123 hardcore hello123 hellohello honey123
  iloveyou iloveyou! iloveyou1 iloveyou12 iloveyou123 iloveyou2 india123 india1234 india@123 internet isabella
  jasmine1 jennifer jessica1 jesus123 jonathan jordan123 krishna123 kristina letmein1 letmein123 liverpool liverpool1
  love1234 lovelove loveyou1 mahalakshmi manchester marlboro maverick mercedes metallica michael1 michelle microsoft
  midnight monkey123 mustang1 mypassword naruto123 nicholas nothing1 november p@$$w0rd p@ssw0rd p@ssword pa$$word
  pa55word passpass passw0rd password password! password00 password01 password1 password1! password11 password12
  password2 password3 password@1 patricia pokemon1 pokemon123 portugal princesa princess princess1 q1w2e3r4 q1w2e3r4t5
  q1w2e3r4t5y6 qazwsx123 qazwsxedc qazxswedc qq123456 qqqqqqqq qwaszx123 qwe12345 qwe123456 qweasdzxc qweqweqwe
  qwer1234 qwert123 qwert12345 qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwertyqwerty qwertyui qwertyuiop
  qwertyuiop123 realmadrid remember rockstar sachin123 samantha samsung1 scorpion september sexy1234 shadow123
  slipknot snowball softball spiderman starwars starwars1 stephanie strawberry summer123 sunflower sunshine sunshine1
  superman superman1 superstar swordfish testtest tinkerbell trustno1 undertaker valentina vanessa1 victoria welcome1
  welcome12 welcome123 welcome@123 whatever whatever1 william1 xxxxxxxx yankees1 zaq12wsx zaq1xsw2 zaq1zaq1 zxcvbnm1
  zxcvbnm123 zxcvbnmm zzzzzzzz`.split(/\s+/),
)
/** A shorter name stands in many a good password by chance. */
const OWN_NAME_LENGTH_MIN = 5

/**
 * Refuses a password that others guess first: a very common one, or the name of its user or of the store,
 * also with digits and signs around it.
 * @throws Refusal INVALID_INPUT, with the reason beside the field
 */
export function refuseGuessable(
  password: string,
  { field, names }: { field: 'password' | 'newPassword'; names: readonly string[] },
): void {
  const written = password.toLowerCase()
  const message = COMMON.has(written)
    ? 'This password is among the first that others try. Please choose another one.'
    : names.some((name) => isMadeOf(written, name.toLowerCase()))
      ? 'A password made of your name or the store’s is easy to guess. Please choose another one.'
      : undefined
  if (message !== undefined) throw new Refusal('INVALID_INPUT', { message, fields: { [field]: message } })
}

function isMadeOf(password: string, name: string): boolean {
  if (password === name) return true
  const bare = lettersOf(name)
  return bare.length >= OWN_NAME_LENGTH_MIN && lettersOf(password) === bare
}

/** Without the digits and signs at both ends: "1chaabi@123" → "chaabi". */
function lettersOf(text: string): string {
  return text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
}
