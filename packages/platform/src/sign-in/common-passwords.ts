/** The most common passwords of eight characters and more, in lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
  12345678 123456789 1234567890 12345678910 0123456789 987654321 9876543210 87654321 123123123
  123321123 1234512345 12341234 11223344 1122334455 112233445566 12344321 123454321 1q2w3e4r
  1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc qazwsxedc qazwsx123 zaq12wsx zaq1zaq1 !qaz2wsx
  1234qwer 123qweasd 123qwe123 qwe123qwe q1w2e3r4 q1w2e3r4t5 qwer1234 qwer1234! qwerty12
  qwerty123 qwerty1234 qwerty12345 qwerty123456 qwerty123! qwertyui qwertyuiop qwertzui
  qwertzuiop azertyui azertyuiop asdfghjk asdfghjkl asdf1234 asdfasdf asdfqwer zxcvbnm1
  zxcvbnm123 zxcvbnm, poiuytrewq lkjhgfdsa mnbvcxzl abcd1234 abcdefgh abcdefghi abcdefghij
  abcd12345 abc12345 abc123456 abc123abc abcabc123 a1b2c3d4 a1b2c3d4e5 aa123456 aa12345678
  a1234567 a12345678 a123456789 password password1 password2 password3 password12 password123
  password1234 password12345 password! password1! password123! password01 passw0rd p@ssw0rd
  p@ssword p@ssw0rd1 p@ssword1 pa$$word pa55word passwort passwort1 passwort123 motdepasse
  contrasena contraseña wachtwoord adgangskode kodeord123 lösenord changeme changeme1
  changeme123 changeit letmein1 letmein123 letmeinnow welcome1 welcome12 welcome123 welcome1!
  welcome2 willkommen bienvenue administrator admin123 admin1234 admin12345 admin123! adminadmin
  rootroot root1234 toor1234 testtest test1234 test12345 testing123 guest123 user1234 username
  default1 master123 secret12 secret123 secret1234 topsecret iloveyou iloveyou1 iloveyou2
  iloveyou123 iloveyou! loveyou1 mylove123 sunshine sunshine1 princess princess1 princess123
  football football1 football123 baseball baseball1 basketball superman superman1 batman123
  spiderman starwars starwars1 pokemon1 pokemon123 dragon123 monkey123 shadow123 michael1
  jennifer jordan23 michelle danielle jessica1 charlie1 ashley12 computer computer1 internet
  samsung1 samsung123 google123 facebook1 whatever whatever1 trustno1 blink182 liverpool
  liverpool1 chelsea1 arsenal1 barcelona realmadrid mercedes porsche1 ferrari1 corvette
  chocolate butterfly cheese123 hello123 hello1234 helloworld hallo123 goodluck freedom1
  november december september1 summer2023 summer2024 summer2025 summer2026 winter2023
  winter2024 winter2025 winter2026 spring2024 spring2025 spring2026 autumn2025 january1
  qweasdzxc qweqweqwe asdasdasd zxczxczxc 147258369 159357456 147852369 741852963 789456123
  123654789 321654987 102030405060 10203040 20202020 31415926 314159265 13131313 69696969
  00000000 11111111 111222333 999999999 88888888 correcthorsebatterystaple probity1 probity123
  probity1234 letmein! nopassword mypassword thepassword yourpassword newpassword mypassword1
  newpassword1 oldpassword temp1234 temporary temporary1 access123 security1 security123
  `
    .trim()
    .split(/\s+/),
);
