/**
 * Made-up news reports (=), each with statements that it bears out (+), mostly in other words, and
 * statements that it does not (-). A line with none of these signs goes on with the one before.
 */
export const NEWS_ONE = `
= A fire that broke out in a furniture warehouse in Port Talmadge on Sunday night destroyed two
buildings and forced about 300 people to leave their homes. More than eighty firefighters worked
until dawn to stop the flames from reaching a nearby petrol station. Nobody was killed, but four
firefighters were treated for smoke inhalation. "The wind was our worst enemy," said fire chief
Dana Okafor. Residents were taken to a school gymnasium and were allowed to return on Monday
afternoon. Police said it was too early to say how the blaze had started, although a faulty heater
has not been ruled out. The owner of the warehouse, Brightwood Interiors, employs 45 people at the
site and said that production would be moved to its plant in Carrow.
+ Hundreds of people had to be evacuated after a blaze gutted a furniture store in Port Talmadge.
+ The cause of the Port Talmadge warehouse fire is still unknown, police say.
+ Four firefighters needed treatment, but there were no deaths.
+ Brightwood Interiors will shift production to another factory following the fire.
+ Residents went home on Monday after spending the night in a school.
- Four people were killed in a warehouse fire in Port Talmadge.
- A faulty heater caused the fire that destroyed a furniture warehouse, police have confirmed.
- Residents of Carrow had to leave their homes after a fire at a petrol station.
- Fire chief Dana Okafor has been treated in hospital for burns.
- Brightwood Interiors will close the site with the loss of 45 jobs.
- Eighty people were evacuated after a chemical plant exploded in Port Talmadge.
= Striker Leo Marchetti scored twice in the final ten minutes as Northgate United came from behind
to beat Rovers 3-2 and reach the cup semi-finals for the first time since 1987. Rovers had led 2-0
at half-time through goals by Ivan Petrov and captain Sam Doyle. Substitute Kofi Mensah pulled one
back after 64 minutes before Marchetti, who joined from Torrano in January, headed in a corner and
then converted a penalty in stoppage time. Northgate manager Ellen Ward called it "the best night
of my career". Rovers finished with ten men after defender Paul Hart was sent off for a second
booking. The draw for the last four takes place on Friday.
+ Northgate United fought back from two goals down to reach the semi-finals of the cup.
+ Two late goals from Leo Marchetti sent Northgate through at the expense of Rovers.
+ Rovers lost despite being two goals ahead at the break, and had a player sent off.
+ Northgate have not been in the last four of the competition for decades.
- Rovers came from two goals down to knock Northgate United out of the cup.
- Ivan Petrov scored twice as Northgate United beat Rovers.
- Northgate United have reached the cup final for the first time since 1987.
- Paul Hart was sent off as Northgate finished with ten men.
- Marchetti, who joined from Rovers in August, scored a hat-trick.
- Manager Ellen Ward has resigned after the defeat by Rovers.
= The central bank of Valdoria raised its main interest rate by half a percentage point to 4.25
percent on Thursday, the sixth increase in a row, as it tries to bring down inflation that reached
8.1 percent in September. Governor Marta Lindqvist said that the bank was prepared to go further
if prices did not slow by the spring. Economists had expected a smaller step. The currency, the
crown, rose by one percent against the euro after the announcement, while shares in property
companies fell sharply. Unions criticised the decision, which they said would cost jobs in
construction. The bank now expects the economy to shrink slightly next year before it grows again
in 2025.
+ Valdoria has put up borrowing costs again in an effort to curb rising prices.
+ The rate rise was larger than analysts had forecast.
+ Trade unions warned that the move would hurt employment in the building sector.
+ Shares in real estate firms dropped after the bank announced a further rate increase.
+ The bank forecasts a mild recession next year.
- Valdoria's central bank has cut its interest rate for the sixth time in a row.
- Inflation in Valdoria fell to 4.25 percent in September.
- The crown fell by one percent against the euro after the announcement.
- Unions welcomed the decision, which they said would create jobs in construction.
- Governor Marta Lindqvist said the bank would not raise rates any further.
- The bank expects the economy to grow strongly next year.
= Scientists have found the fossil of a giant penguin that lived some 60 million years ago on a
beach in the south of New Zealand. The bird, named Talassa robusta by the team, weighed up to 150
kilograms, more than three times as much as the largest penguins alive today. A rock that
contained bones of a flipper was discovered by an amateur collector, Joan Tamaheri, in 2017 and
studied for four years at the museum in Dunedin. "It would have been an astonishing sight," said
palaeontologist Peter Hale, the lead author of the study in the Journal of Ancient Birds. The
researchers believe that penguins grew so large because there were no seals or toothed whales yet
to compete with them for food.
+ Remains of an ancient penguin heavier than most humans have been discovered in New Zealand.
+ A fossil collector stumbled on the bones of a huge extinct penguin.
+ Researchers think the lack of competitors allowed early penguins to become so big.
+ The prehistoric bird was over three times as heavy as any penguin living now.
- Scientists in Australia have found the fossil of a giant penguin.
- The penguin lived about 150 million years ago.
- The fossil was discovered by palaeontologist Peter Hale in 2021.
- Giant penguins died out because they had to compete with seals for food, researchers believe.
- The bird was about as heavy as the largest penguins alive today.
- A giant penguin has been born at a zoo in Dunedin.
= A teacher who was dismissed after she refused to mark pupils' work at weekends has won her case
at an employment tribunal. Karen Whitcombe, 52, had worked at Hollis Lane Academy for nineteen
years when she was sacked in March 2019. The tribunal ruled that the school had failed to consult
her before changing her contract and ordered it to pay her £38,000. A further claim, that she had
been discriminated against because of her age, was rejected. Ms Whitcombe, who now runs a
bookshop, said that she had never wanted the money but an apology. The academy said it was
disappointed and was considering an appeal.
+ A woman who lost her teaching job for refusing weekend work has been awarded compensation.
+ A tribunal found that Hollis Lane Academy dismissed a teacher unfairly but that age was not a
factor.
+ The school may challenge the ruling.
+ The former teacher is now a bookseller.
- A tribunal ruled that Karen Whitcombe was discriminated against because of her age.
- Ms Whitcombe lost her case against Hollis Lane Academy.
- The academy has apologised to Ms Whitcombe and will pay her £52,000.
- Ms Whitcombe was sacked after nineteen years because she struck a pupil.
- The school said it was pleased with the ruling and will not appeal.
- A head teacher has been jailed for stealing money from her school.
= Heavy rain has caused flooding across the province of Maranao, killing at least 17 people and
leaving thousands without electricity, officials said on Wednesday. The Tagoloan river burst its
banks overnight after the area received in two days as much rain as normally falls in a month.
Soldiers used rubber boats to rescue families from the roofs of their houses in the town of San
Isidro, where the main bridge was swept away. The government has sent 40 tonnes of rice and
drinking water to the region. Forecasters said that the storm was moving west and should weaken by
Friday, but warned that landslides remained a danger.
+ Floods in Maranao have claimed more than a dozen lives.
+ Troops have rescued families stranded on rooftops after a river overflowed.
+ Emergency supplies of food and water are on their way to the flooded province.
+ The storm is expected to lose strength by the end of the week, though landslides could still
occur.
- At least 40 people have died in floods in the province of Maranao.
- A drought in Maranao has left thousands of farmers without water.
- The storm is moving east and is expected to get stronger by Friday.
- Soldiers swept away the main bridge in the town of San Isidro.
- The earthquake left thousands of people in San Isidro homeless.
- No help has yet been sent to the region by the government.
= The singer Amara Nwosu has cancelled the remaining eleven dates of her European tour after
doctors told her to rest her voice. The 34-year-old stopped a concert in Lyon on Saturday after
four songs and left the stage in tears. In a statement on Monday she said that she had torn a
vocal cord and needed surgery, and promised that all tickets would be refunded. Her album Paper
Lanterns has sold three million copies since it was released in February and won two Golden Needle
awards. Promoter Henrik Vale said that new dates would be announced next year. Fans left thousands
of messages of support within hours.
+ Amara Nwosu has called off the rest of her tour because of a throat injury.
+ The pop star broke off a show in France and will undergo an operation.
+ Ticket holders will get their money back.
+ Replacement concerts are planned for next year.
- Amara Nwosu has cancelled her American tour after a car accident.
- Fans will not get their money back for the cancelled concerts.
- Henrik Vale stopped a concert in Lyon after four songs.
- The singer has decided to retire from music.
- Her album Paper Lanterns has sold eleven million copies.
- Amara Nwosu, 24, won two Golden Needle awards for her tour.
= Police in Greyhaven have arrested a 27-year-old man in connection with the theft of a painting
by Elias Thorne from the city's museum. The work, "Evening at the Mill", which is valued at two
million dollars, was cut from its frame on the night of 3 May while the alarm system was being
repaired. Officers found it wrapped in a blanket in the attic of a house in Dunmore, slightly
damaged at the edges. A second suspect, a former guard at the museum, is still being sought.
Museum director Clara Benedikt said that she was overjoyed and that the picture would be on show
again in the autumn. Detective Luis Ortega praised a neighbour who had called after seeing a
television report.
+ A stolen painting has been recovered and one man is in custody.
+ The artwork taken from the Greyhaven museum turned up in an attic.
+ Police are still looking for an ex-employee of the museum over the theft of a valuable picture.
+ A tip from a member of the public helped detectives to find the missing Thorne.
- Police have arrested two men over the theft of a painting in Greyhaven.
- A former guard at the museum has been arrested.
- The painting was found undamaged in the museum's cellar.
- Detective Luis Ortega has been charged with stealing a painting.
- The painting, which is valued at twenty million dollars, has been destroyed.
- Museum director Clara Benedikt called the police after seeing a television report.
= Airline Skylark is to cut 1,200 jobs, about a tenth of its workforce, after a fall in bookings
for long-distance flights. The company, which has its headquarters in Milbrook, said on Tuesday
that most of the cuts would be among cabin crew and that it hoped to avoid compulsory
redundancies. Pilots are not affected. Skylark lost 90 million euros in the first half of the
year, compared with a profit of 15 million a year earlier. Chief executive Robert Amsel blamed the
high price of fuel and competition from low-cost carriers. The union Unity called the plan a "slap
in the face" and said that strikes could not be excluded. Skylark's shares rose by three percent.
+ Skylark plans to shed around one in ten of its staff.
+ The carrier is making losses as fewer people book long-haul trips.
+ Flight attendants will bear the brunt of the job losses at the airline.
+ Union leaders have threatened industrial action over the cuts.
+ Investors reacted positively to the news that Skylark will reduce its workforce.
- Skylark is to create 1,200 jobs after a rise in bookings.
- Most of the job cuts at Skylark will be among pilots.
- Skylark made a profit of 90 million euros in the first half of the year.
- The union Unity has welcomed the plan to avoid compulsory redundancies.
- Shares in the airline fell by three percent after the announcement.
- Robert Amsel has stepped down as chief executive of Skylark.
= A village in the Alps has banned photographs of its mountains, saying that beautiful pictures
make people elsewhere unhappy. Visitors to Bergelen in Switzerland who post holiday snaps may be
fined five francs, the council decided by a large majority. Mayor Peter Nicolay admitted that the
rule was not entirely serious: nobody will really have to pay, and the money collected so far, his
own fine included, goes to a nature fund. The tourist office, which came up with the idea, said
that the number of people who looked at its website had risen eightfold within a week. Some
residents found the campaign silly, among them hotel owner Greta Imboden, who said that guests had
asked whether they might still use their cameras.
+ A Swiss village has jokingly outlawed taking pictures of its scenery.
+ The ban is a publicity stunt that has brought far more visitors to the village website.
+ Not everyone in Bergelen is amused by the photography ban.
+ The mayor concedes that the fines will not be enforced.
- Visitors who take photographs in Bergelen must pay five hundred francs.
- Mayor Peter Nicolay was fined for taking photographs of a hotel.
- The council rejected a ban on photographs by a large majority.
- The idea for the ban came from hotel owner Greta Imboden.
- The number of visitors to the website of the tourist office has halved.
- An Austrian village has banned cars from its centre to protect nature.
= Researchers at Kestrel University say that drinking three cups of coffee a day may lower the
risk of heart disease. The team followed 20,000 adults over twelve years and found that those who
drank coffee regularly were 15 percent less likely to suffer a stroke than those who drank none.
No benefit was seen for people who drank more than five cups. Professor Alan Mbeki, who led the
study, cautioned that it did not prove cause and effect, since coffee drinkers also tended to take
more exercise. The research was paid for by the National Heart Fund. A spokesman for the doctors'
association said nobody should start drinking coffee for medical reasons.
+ Moderate coffee consumption could be good for the heart, a study suggests.
+ People who have a few cups of coffee a day seem to be less prone to strokes.
+ Experts warn that the findings do not show that coffee itself is responsible.
+ The large study tracked its participants for more than a decade.
- Drinking three cups of coffee a day raises the risk of a stroke by 15 percent.
- The study proves that coffee prevents heart disease.
- People who drank more than five cups a day benefited most.
- The study was paid for by the coffee industry.
- The doctors' association advises people to start drinking coffee.
- Researchers followed 12,000 adults over twenty years.
= A bus carrying schoolchildren overturned on a mountain road near the town of Elvas on Friday
morning, injuring 23 people, three of them seriously. The driver, a 58-year-old man, told police
that he had swerved to avoid a deer. The children, aged between nine and twelve, were on their way
to a swimming competition. Helicopters flew the most badly hurt to the hospital in Covado, 60
kilometres away. The road remained closed for six hours. Transport minister Inês Prata visited the
scene and said that crash barriers on the stretch, where two people died in 2018, would be
replaced. Parents have complained about the condition of the road for years.
+ More than twenty people were hurt when a school bus tipped over near Elvas.
+ The driver said an animal had run into his path.
+ The government has promised new safety barriers on a road that was known to be dangerous.
+ Pupils heading to a swimming contest were involved in a bus accident.
- Three children died when a school bus overturned near Elvas.
- The driver told police that he had fallen asleep at the wheel.
- Transport minister Inês Prata was injured in a bus crash.
- The children were on their way home from a football match.
- The road was closed for two days after a lorry overturned.
- Parents have praised the condition of the road for years.`;
