/** Texts with social security numbers of the United States; the notation is that of `parse-rows.ts`. */
export const SSN_ROWS = String.raw`
*3 SSN: [[s:{{ssn -}}]]
*2 My social is [[s:{{ssn -}}]], birthday 4/12/1984.
SSN [[s:{{ssn}}]]
ssn=[[s:{{ssn}}]]
Social Security Number [[s:{{ssn sp}}]]
*2 {"ssn":"[[s:{{ssn -}}]]","dob":"1979-02-11"}
{"ssn": "[[s:{{ssn}}]]"}
{"social_security_number": [[s:{{ssn}}]]}
INSERT INTO employees (name, ssn) VALUES ('Ann', '[[s:{{ssn -}}]]');
SELECT * FROM patients WHERE ssn = '[[s:{{ssn}}]]';
Name: John Q. Public, SS#: [[s:{{ssn -}}]]
SS# [[s:{{ssn}}]]
S.S.N. [[s:{{ssn -}}]]
Soc. Sec. No. [[s:{{ssn -}}]]
soc sec num [[s:{{ssn sp}}]]
Applicant's social security no. is [[s:{{ssn -}}]].
Employee's Social Security Number: [[s:{{ssn -}}]]\nEmployer EIN: 12-3456789
W-2 box a: [[s:{{ssn -}}]]
Form W-9, Part I, social security number [[s:{{ssn sp}}]]
*2 Patient Maria Gomez ([[s:{{ssn -}}]]) was admitted 02/03/2024
*2 [[s:{{ssn -}}]]
[[s:{{ssn -}}]] belongs to my late husband
employee_id,ssn,name\n1,[[s:{{ssn -}}]],Ann\n2,[[s:{{ssn -}}]],Bob
| 1042 | Kim, Sue | [[s:{{ssn -}}]] |
<ssn>[[s:{{ssn -}}]]</ssn>
<td>SSN</td><td>[[s:{{ssn}}]]</td>
ssn: '[[s:{{ssn -}}]]'
taxpayer_ssn: [[s:{{ssn}}]]
EMP_SSN="[[s:{{ssn}}]]"
The last four are wrong, full SSN is [[s:{{ssn -}}]].
Can you check the credit file for [[s:{{ssn -}}]]? Name is Doe.
Verify identity: DOB 03/03/1970, SSN [[s:{{ssn sp}}]], ZIP 94110
my ssn is [[s:{{ssn}}]] and i live in ohio
my social security # is [[s:{{ssn}}]]!!
Her social (the one on the card) is [[s:{{ssn sp}}]]
Número de seguro social: [[s:{{ssn -}}]]
Mi número de seguro social es [[s:{{ssn}}]]
seguro social [[s:{{ssn sp}}]]
Numéro de sécurité sociale américain : [[s:{{ssn -}}]]
US-Sozialversicherungsnummer: [[s:{{ssn -}}]]
Die amerikanische Sozialversicherungsnummer (SSN) lautet [[s:{{ssn -}}]].
Número da segurança social (EUA): [[s:{{ssn -}}]]
米国社会保障番号：[[s:{{ssn -}}]]
社会安全号码 [[s:{{ssn -}}]]
Background check for Lee Park, SSN [[s:{{ssn -}}]], case 2024-1188
2024-05-05 12:01:11 ERROR validation failed ssn=[[s:{{ssn -}}]] code=17
Dependent 1: Leo, [[s:{{ssn -}}]]; Dependent 2: Mia, [[s:{{ssn -}}]]
I-9 section 1: U.S. Social Security Number [[s:{{ssn sp}}]]
SSN:[[s:{{ssn -}}]]
SSN#[[s:{{ssn}}]]
ssn [[s:123-45-6789]] (yes that one)
"SSN","[[s:{{ssn -}}]]"
Co-borrower [[s:{{ssn -}}]], borrower [[s:{{ssn -}}]]
W2 für US-Mitarbeiter: SSN [[s:{{ssn -}}]], Lohn 4.200 USD
tell the lender my social: [[s:{{ssn sp}}]]
🇺🇸 SSN [[s:{{ssn -}}]] 🇺🇸
My SSN changed from [[s:{{ssn -}}]] to [[s:{{ssn -}}]].
FAFSA: student SSN [[s:{{ssn}}]], parent SSN [[s:{{ssn}}]]
Claimant\nName: R. Diaz\nSSN: [[s:{{ssn -}}]]\nDate of injury: 06-12-2023
social-security-number=[[s:{{ssn -}}]];state=TX
socialSecurityNumber: "[[s:{{ssn}}]]",
`;
