/**
 * Made-up news reports (=), each with statements that it bears out (+), mostly in other words, and
 * statements that it does not (-). A line with none of these signs goes on with the one before.
 */
export const NEWS_TWO = `
= Voters in the city of Lindau have rejected plans for a new concert hall. In a referendum on
Sunday, 57 percent voted against the project, which would have cost 120 million francs and been
built beside the lake. Turnout was 41 percent. Supporters, among them mayor Johanna Frey, had
argued that the hall would bring jobs and tourists, while a citizens' group collected 9,000
signatures against it and said that the money was needed for schools. The result is binding. Frey
said she respected the vote but regretted a missed chance. The city's orchestra will go on playing
in a former factory, whose lease ends in four years.
+ Residents of Lindau have voted down a proposed concert venue.
+ A costly lakeside concert hall will not be built after a public vote.
+ Opponents wanted the funds to be spent on education instead.
+ The orchestra will have to stay in its current home, an old factory, for now.
- Voters in Lindau have approved plans for a new concert hall.
- 57 percent of voters supported the project.
- Mayor Johanna Frey had argued against the concert hall.
- The city's orchestra will move into a new hall in four years.
- The citizens' group said that the hall would bring jobs and tourists.
- A new football stadium in Lindau will cost 120 million francs.
= A rare white kiwi chick has been handed to vets after it was hurt by a dog on a farm near
Waitomo. The bird, which is about six weeks old, has a broken leg but is expected to recover, the
wildlife hospital said. Only a handful of white kiwis are known; the colour comes from a gene that
both parents must carry. Farmer Wiremu Paki found the chick under a hedge on Tuesday and drove it
two hours to the hospital in a shoe box. The dog belonged to hunters who had entered the property
without permission, he said. When it has healed, the chick will be released on an island where
there are no predators.
+ An injured kiwi with unusual plumage is being cared for by vets.
+ A farmer rescued a rare bird that had been attacked by a dog.
+ The chick should make a full recovery and will later be set free on a predator-free island.
+ Trespassing hunters are said to own the animal that attacked the kiwi.
- A rare white kiwi chick has died after it was attacked by a cat.
- The chick was found by hunters, who drove it to a hospital.
- Farmer Wiremu Paki's dog injured a kiwi chick.
- White kiwis are common on the farms near Waitomo.
- The chick has a broken wing and is not expected to recover.
- The chick will spend the rest of its life in a zoo.
= Technology company Orbelin has delayed the launch of its folding telephone by at least three
months after testers reported that the screen cracked in cold weather. The device, called the
Leaf, was to go on sale on 1 November at a price of 1,499 dollars. In a letter to customers,
product chief Yuki Tanabe said that every order placed in advance could be cancelled free of
charge. The fault affected about two percent of the devices, all of them from a factory in Penang.
A rival, Samtron, launched its own folding telephone in June. Analyst Brian Cole of Westmark said
that the delay was embarrassing but the right thing to do, as a recall would have cost Orbelin far
more.
+ Orbelin has postponed its foldable phone because of screen problems.
+ Customers who already ordered the gadget can get out of the deal at no cost.
+ An analyst believes that delaying the phone was wiser than recalling it later.
+ Low temperatures caused displays of the new handset to break.
- Orbelin has recalled its folding telephone after the battery caught fire.
- Samtron has delayed the launch of its folding telephone by three months.
- The fault affected about half of the devices.
- Customers who ordered in advance must pay a fee to cancel.
- The launch was brought forward to 1 November.
- Analyst Yuki Tanabe said that the delay was a mistake.
= A woman of 91 who left school at 14 has been awarded a doctorate by the University of
Hartsfield. Edith Carmody began to study history at 78, after the death of her husband, and wrote
her thesis about the lives of women in the textile mills in which her mother had worked. She spent
nine years on it and interviewed 60 former workers, typing with two fingers. "I was told at
fourteen that books were not for girls like me," she said at the ceremony on Saturday, which was
attended by her four children and eleven grandchildren. Her supervisor, Dr Neil Farrow, described
the work as a treasure. Mrs Carmody says that she now intends to learn Italian.
+ A great-grandmotherly student in her nineties has finally earned her PhD.
+ Edith Carmody received a doctorate decades after she had to leave school.
+ The pensioner's research looked at female workers in the textile industry.
+ Mrs Carmody now wants to take up a foreign language.
- Edith Carmody, 81, has been awarded a doctorate in physics.
- Mrs Carmody began to study history after the death of her mother.
- She worked in a textile mill for nine years before going to university.
- Dr Neil Farrow attended the ceremony with his four children.
- Mrs Carmody intends to move to Italy.
- She is the oldest person in the world to be awarded a doctorate.
= Prosecutors in Kalmora have charged the former finance minister, Oleg Sandu, with taking bribes
worth four million euros from a construction company. Mr Sandu, who left office in 2020, denies
the charges and says that they are politically motivated. According to the indictment, the company
Granit-Bau paid for a villa in Spain that was registered in the name of his sister, and in return
received contracts to build two motorways. Granit-Bau's former director has already pleaded guilty
and will give evidence against the ex-minister. The trial is to begin on 12 January. If convicted,
Mr Sandu faces up to twelve years in prison. The governing party suspended his membership on
Monday.
+ A former finance minister of Kalmora is to stand trial for corruption.
+ Mr Sandu insists that he is innocent.
+ The ex-minister is alleged to have helped a building firm to win road contracts in exchange for
money.
+ A one-time boss of Granit-Bau has admitted his guilt and will testify.
- Oleg Sandu has been sentenced to twelve years in prison for corruption.
- Mr Sandu has pleaded guilty to taking bribes.
- The finance minister paid bribes worth four million euros to a construction company.
- Granit-Bau's former director denies the charges.
- His sister has been charged with buying a villa in Portugal.
- The governing party has defended Mr Sandu and refused to suspend his membership.
= The number of bees in the country has risen for the first time in ten years, according to a
survey by the beekeepers' federation. It counted 870,000 colonies this summer, six percent more
than a year ago. Federation chair Tomas Hjort put the growth down to a mild winter and to the ban
on three pesticides that came into force in 2021. More people in cities are keeping bees as well:
in the capital the number of hives on roofs has doubled. But wild bees are still in decline,
biologist Sara Nyström warned, because they find fewer places to nest. She called on gardeners to
leave a corner of their lawns uncut.
+ After years of decline, honeybee numbers are growing again.
+ A pesticide ban and gentle weather have helped bees to recover.
+ Beekeeping is becoming more popular in towns.
+ Wild species have not benefited and continue to dwindle.
- The number of bees has fallen for the tenth year in a row.
- The number of wild bees has doubled in the capital.
- Tomas Hjort blamed the pesticides ban for the decline of wild bees.
- Sara Nyström called on gardeners to keep bees on their roofs.
- There are now 870,000 beekeepers in the country.
- A harsh winter has killed six percent of the bee colonies.
= A man who swam alone from the mainland to the island of Skerra has become the first person to
cross the strait in winter. Gavin Muir, a 41-year-old postman from Inverlay, needed seven hours
and 20 minutes for the 18 kilometres, in water of six degrees. He wore neither a wetsuit nor
grease. "I sang to stay awake," he said, "and I stopped feeling my feet after the first hour." A
boat with a doctor accompanied him. Muir has raised £26,000 for the lifeboat station, which saved
his brother's life three years ago. He had to give up a first attempt in December because of
jellyfish.
+ A postman has made history by swimming to Skerra in wintry waters.
+ Gavin Muir's swim in icy water raised thousands for lifeboat crews.
+ The swimmer succeeded at his second try.
+ A medic followed the swimmer on a boat.
- Gavin Muir's brother has become the first person to swim to Skerra.
- Muir, a doctor from Inverlay, crossed the strait in a boat.
- He wore a thick wetsuit because the water was only six degrees.
- Muir gave up after seven hours because of jellyfish.
- The lifeboat crew had to rescue Gavin Muir from the strait.
- Muir has raised £260,000 for a hospital.
= Doctors at a hospital in Sao Bento have separated twin girls who were joined at the chest. The
operation, which took 19 hours and involved a team of 35, had been practised for months on a model
printed in three dimensions. Sisters Ana and Lia, who are 14 months old, shared part of a liver
but had separate hearts. Surgeon Beatriz Lemos said that both were stable and breathing on their
own. They will remain in intensive care for about two weeks. The family, who come from a fishing
village in the north, could not have paid for the treatment; the costs were borne by a foundation.
Their mother, Rosa Dias, said that she had never before been able to hold one of them by herself.
+ Conjoined twins have been successfully separated in a marathon operation.
+ Surgeons rehearsed the procedure with the help of a 3D-printed model.
+ A charity covered the cost of surgery for the twins.
+ Both toddlers are doing well but have to stay in hospital.
- One of the twin girls died during the operation.
- The twins shared a heart, which made the operation difficult.
- Surgeon Rosa Dias led the operation, which took nine hours.
- The parents sold their house to pay for the treatment.
- The girls went home two days after the operation.
- Twin boys who were joined at the head have been separated in Sao Bento.
= The supermarket chain Freshly will stop selling eggs from caged hens by the end of next year,
two years earlier than planned. Animal welfare groups had organised protests in front of its
stores in the spring. About 60 percent of the eggs that the company sells at present come from
barns or free range farms. Freshly said that prices would go up by no more than two cents an egg
and that it would help its 300 suppliers to rebuild their stables with loans. Farmer Ruth Albers,
who keeps 12,000 hens, said that the time was too short. Competitor Marktland has not yet set a
date.
+ Freshly is bringing forward its plan to ban eggs from battery hens.
+ The grocer acted after demonstrations by animal rights activists.
+ Egg prices are set to rise slightly as a result.
+ Some producers complain that they are being given too little time to adapt.
- Freshly will stop selling eggs altogether by the end of next year.
- Marktland will stop selling eggs from caged hens two years earlier than planned.
- Freshly has postponed its ban on eggs from caged hens by two years.
- Farmer Ruth Albers welcomed the decision and has already sold her hens.
- Prices will go up by sixty cents an egg.
- The company will give its suppliers no help to rebuild their stables.
= Archaeologists digging at the site of a planned car park in Brackenford have uncovered the
foundations of a Roman bath house. The building, which dates from the second century, had heated
floors and a cold pool lined with blue tiles. Among the finds are 90 coins, a bone comb and a
curse tablet on which someone asks the goddess Sulis to punish the thief of a cloak. Excavation
leader Hugh Pembroke called it the most important discovery in the county in fifty years. Work on
the car park has been stopped and the council is to decide in November whether the remains can be
preserved under a glass floor. The site will be open to visitors next weekend.
+ Roman baths have come to light where a town wanted to build parking spaces.
+ Construction has been halted in Brackenford after an archaeological discovery.
+ Members of the public can see the Roman remains shortly.
+ Coins and an ancient curse were among the objects unearthed.
- Archaeologists have uncovered a Roman theatre in Brackenford.
- The council has decided to build the car park as planned.
- The bath house dates from the fifth century.
- Hugh Pembroke has stolen coins from an excavation.
- The finds include a sword and a golden crown.
- Visitors will not be allowed to see the site.
= A cyber attack has paralysed the computers of the district hospital in Wendlow for a third day.
Surgery that is not urgent has been put off, and ambulances are being sent to Marsh End. Doctors
are working with paper and pencil. The attackers have demanded a ransom in a digital currency,
which the hospital's director, Ingrid Sommer, said would not be paid. No data of patients seem to
have been stolen so far. Specialists from the interior ministry are trying to restore the systems
from backups, which may take until the middle of next week. It is the fifth attack on a hospital
in the country this year.
+ Hackers have crippled a hospital's IT systems.
+ The clinic refuses to give in to the blackmailers.
+ Emergency patients are being diverted to another town while the network is down.
+ It could be next week before the hospital in Wendlow is back to normal.
- The hospital in Wendlow has paid a ransom to attackers.
- The attackers have stolen the data of thousands of patients.
- All surgery has been put off, including urgent operations.
- Patients from Marsh End are being taken to Wendlow.
- The computers were repaired within a day.
- A power cut has paralysed the district hospital in Wendlow.
= The film director Carlos Iriarte has won the top prize at the festival of Ravello for "The Salt
Road", the story of a truck driver who finds a child in his load. Iriarte, 71, is the oldest
winner in the festival's history. The jury, chaired by the actress Helene Brandt, praised the
film's "tenderness without sentiment". It was made for less than 800,000 euros and its main actor,
Mateo Paz, is a truck driver in real life. The prize for best actress went to Noor Haddad for the
comedy "Tuesday's Bride". Last year's winner, the Korean drama "Low Tide", went on to earn three
Academy Award nominations.
+ A low-budget movie about a lorry driver took the main award at Ravello.
+ Carlos Iriarte, in his seventies, has become the festival's oldest winner.
+ The leading man in the winning film is not a professional actor.
+ Noor Haddad was honoured for her performance in a comedy.
- Helene Brandt has won the top prize at the festival of Ravello.
- "Tuesday's Bride" won the top prize at the festival.
- The film was made for 80 million euros.
- Mateo Paz is the oldest winner in the festival's history.
- The jury criticised the film for its sentiment.
- "The Salt Road" has won three Academy Awards.`;
