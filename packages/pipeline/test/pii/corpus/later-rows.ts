/**
 * Texts written after the rules, for a look at what they had not met; since then the rules have been
 * made to find most of them. The notation is that of `parse-rows.ts`, and `{{phone}}` is a number in one
 * of the formats below, many of them with area codes that nobody has.
 */
export const LATER_ROWS = String.raw`
I want to increase limit on my card # {{luhnmark 4### #### #### ####}} for certain duration of time. is it possible?
My credit card {{luhnmark 5412############}} has been lost, Can I request you to block it.
Need to change billing date of my card {{luhnmark 4###############}}
I want to update my primary and secondary address to same: 12 Elm St, Boise. Phone number is {{phone}}
In case of my child account, we need to add Ann as guardian, tel {{phone}}
I have done an online order but didn't get any message on my registered {{phone}}. Could you please look into it ?
I need to add addresses, here they are: 4 Rue X, and my number {{phone}}
*3 How can I reach you? {{phone}} is my number.
*3 Please have the manager call me at {{phone}} I'd like to join accounts with ms. Jones
*3 I would like to stop receiving messages to {{phone}}
*3 As promised, here's Peter's number: {{phone}}
*3 You can call Anna at {{phone}} or send her a mail at [[m:anna@fakemail.com]]
*3 Anna Smith\n\n12 High St\n Leeds\n\n{{phone}} office\n{{phone}} fax\n{{phone}} mobile
*3 Meet me at the store. My phone: {{phone}}
*3 {{phone}} can be reached for questions about the delivery.
*3 {{phone}} (home)
*3 {{phone}} (cell)
*3 Office: {{phone}}, Home: {{phone}}
*3 Customer phone on file: {{phone}}.
*3 Tel/Fax: {{phone}}
*3 Phone/Fax {{phone}}
*3 H: {{phone}} C: {{phone}}
*3 Please update my contact number to {{phone}} as soon as possible.
*3 His mobile changed to {{phone}} last week
*3 Text {{phone}} when you arrive.
*3 She dialed {{phone}} but nobody answered.
*3 We tried contacting you on {{phone}} twice.
*3 The number to call is {{phone}}.
*3 if you see my dog, call me please {{phone}}
*3 Listed number for the shop is {{phone}}
*3 Reservation under Lee, party of 4, {{phone}}
*3 name: Lee, phone: {{phone}}, party: 4
*3 The patient can be contacted via {{phone}} in case of emergency.
*3 Lee's assistant ({{phone}}) will schedule.
*3 Driver's contact details: Bob, {{phone}}
*3 Ask for Sue, {{phone}}.
*3 Dear Ms. Lee, your appointment is confirmed. Questions? {{phone}}
*3 caller {{phone}} duration 00:03:12
*3 Mobil: {{phone}} | E-Mail: [[m:x.y@z.de]]
The iban for the refund is {{iban GB}} thanks
My bank account {{iban4 FR}} is blocked, why?
Could you please send me the last billed amount for cc {{luhnmark 37#############}} on my e-mail [[m:jd@mail.com]]?
When will my card {{luhnmark 6011############}} be delivered?
my ssn number is [[s:{{ssn -}}]] and my name is Lee
Her SSN was recorded as [[s:{{ssn}}]] in the system.
His SSN, [[s:{{ssn -}}]], was leaked.
The SSN ending aside, use [[s:{{ssn sp}}]].
The social security number ([[s:{{ssn}}]]) does not match.
Social: [[s:{{ssn -}}]]
social# [[s:{{ssn}}]]
National ID (SSN): [[s:{{ssn -}}]]
Employee record: Lee, 1980-02-02, [[s:{{ssn -}}]], $54,000
Account Number: [[b:{{d:%#######}}]]
Your account number [[b:{{d:%#######}}]] was debited by $45.00.
Deposit $500 into account number [[b:{{d:%#########}}]].
The payment was made from account [[b:{{d:%#######}}]] at Bank of America.
My account at Wells Fargo is [[b:{{d:%#########}}]].
Savings Account - [[b:{{d:%#######}}]]
The checking account [[b:{{d:%##########}}]] has insufficient funds
transfer from account [[b:{{d:%#######}}]] to account [[b:{{d:%#######}}]]
Bank routing number: [[b:{{aba}}]]
ABA/Routing: [[b:{{aba}}]]
Account name: Checking Account, number [[b:{{d:%#######}}]]
{"accountName":"Savings Account","accountNumber":"[[b:{{d:%#######}}]]"}
{"accountNumber": [[b:{{d:%#########}}]], "balance": 1204.55}
{"account": "[[b:{{d:%#########}}]]", "bank": "Chase"}
To receive your refund, confirm your account number, [[b:{{d:%#######}}]], by Friday.
Beneficiary: Lee, Acc [[b:{{d:%#########}}]], Bank: HSBC, Swift: HSBCHKHH
US passport [[t:{{d:%########}}]]
My passport, [[t:{{d:%########}}]], expires in May.
passport id [[t:{{d:@########}}]]
The traveler's passport number ([[t:{{d:@@#######}}]]) was entered incorrectly.
Passport Number: [[t:{{d:@########}}]] Issuing Country: USA
PassportNumber: [[t:{{d:@########}}]]
Passport [[t:{{d:%########}}]] was reported stolen.
Please verify identity with passport [[t:{{d:%########}}]] or SSN [[s:{{ssn -}}]].
issued passport number [[t:{{d:@########}}]] on 2020-04-05
Her passport is [[t:{{d:@@######}}]] and her visa is pending
Passport details - No: [[t:{{d:@#######}}]], Country: IN
Passport: Number [[t:{{d:@########}}]]
The passport bearing number [[t:{{d:@########}}]] belongs to Lee.
user logged in from [[i:{{v4}}]] using Chrome
The IP address [[i:{{v4}}]] was detected
We noticed a login from a new device at IP [[i:{{v6full}}]].
Your IPv4 is [[i:{{v4}}]] and IPv6 is [[i:{{v6full}}]]
Traffic from [[i:{{v4}}]] to [[i:{{v4}}]] was allowed.
IP Address: [[i:{{v6}}]]
Access denied for [[i:{{v4}}]].
Device 7 - [[i:{{v4}}]]
[[i:{{v4}}]] connected.
Email me: [[m:lee_99@hotmail.co]].
[[m:Lee.Anne@Yahoo.COM]]
Send it over to [[m:lee@company.org]], cc [[m:hr@company.org]].
*2 Cardholder: Lee\nCard Number: {{luhnmark 4###############}}\nCVV: 123\nExpiry: 12/26
Payment of $45.50 was charged to {{luhnmark 5412############}}.
visa: {{luhnmark 4############}}
maestro: {{luhnmark 6759########}}
My Mastercard number is {{luhnmark 5412-####-####-####}}, the pin is 1234.
`;

/** Formats in which programs that make up people print telephone numbers. */
export const MADE_UP_FORMATS = `
%##-###-####
(%##) ###-####
(%##)###-####x##
001-%##-###-####
+1-%##-###-####x###
%##.###.####
%##.###.####x####
+1 (%##) ###-####
%##%######
0## #### ####
06 ## ## ## ##
06## ### ## ##
(08) 9### ####
(03) 53## ####
(02) #### ####
4## ## ###
9#### ####
## ### ###
## ## ## ##
(1#) ####-####
0#1 ### ## ##
07# #### ####
(##) ####-####
04## ## ## ##
0##-### ## ##
+44 7### ######
+44(0)1## 4960###
+49(0)##########
(0##) ########
0##########
+33 (0)2 ## ## ## ##
+33 1 ## ## ## ##
0# ## ## ## ##
+61.4.####.####
04########
(##) #### ####
##-####-####
090-####-####
+34 ### ### ###
+39 0## #######
06-########
###-###-####
8 ### ### ## ##
+7 ### ### ####
1-%##-###-####
%##-###-####x#####
+1-%##-###-####
%##&######
(022) ####-###
0###-######
+91 ##########
+91-#####-#####
9#########
`;
