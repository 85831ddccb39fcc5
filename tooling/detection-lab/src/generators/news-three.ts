/**
 * Made-up news reports (=), each with statements that it bears out (+), mostly in other words, and
 * statements that it does not (-). A line with none of these signs goes on with the one before.
 */
export const NEWS_THREE = `
= Train drivers at the state railway ended a nine-day strike on Thursday after the two sides
agreed on a pay rise of 5.2 percent over eighteen months. The drivers' union had asked for seven
percent within a year. Some 4,000 trains a day had been cancelled, and commuters had turned to
cars and bicycles. Union leader Pavel Dvorak spoke of a compromise that both could live with,
while railway chief Lena Hofmann said that fares would rise by two percent in December. Services
are to return to normal by Saturday. Members of the union still have to approve the deal in a
ballot next month.
+ A rail strike is over following an agreement on wages.
+ Drivers will get less money than they had demanded.
+ Passengers will have to pay more for tickets at the end of the year.
+ The settlement is subject to a vote by union members.
- Train drivers have begun a nine-day strike over pay.
- The union achieved a pay rise of seven percent within a year.
- Fares will fall by two percent in December.
- Lena Hofmann, the leader of the drivers' union, spoke of a compromise.
- Members of the union have already approved the deal.
- Bus drivers have gone on strike after pay talks broke down.
= Astronomers have discovered a planet about the size of the Earth that circles a small star only
31 light years away. The planet, known as Hela 7 c, takes 15.6 days for one orbit and may have
liquid water on the side that always faces its sun. It was found with the ORBIS telescope in the
south of Spain. "It is one of the best places nearby to look for traces of life," said Diana
Kossow of the Marbach institute, though she added that it would take at least ten years until its
atmosphere could be examined. About 5,200 planets outside the solar system are known so far.
+ An Earth-sized world has been spotted around a nearby star.
+ Scientists hope that the newly found planet could support life.
+ Finding out what the planet's atmosphere is made of will take a decade or more.
+ One half of the planet is in permanent daylight and may be wet.
- Astronomers have found traces of life on a nearby planet.
- The planet, which is twice as large as the Earth, takes 31 days for one orbit.
- The planet was found with a telescope in Chile.
- Diana Kossow said that its atmosphere would be examined next year.
- Astronomers have discovered 5,200 planets around a small star.
- The planet is so hot that it cannot have any liquid water.
= A court in Ostermark has sentenced a 63-year-old nurse to life in prison for the murder of three
patients. Judge Emil Raske said that Verena Koll had given the elderly women large doses of
insulin between 2016 and 2018 at a nursing home in Feldheim. The defence had asked for an
acquittal because no one had seen her do it. Prosecutors had accused her of five murders; in two
cases the court found the evidence too weak. Koll, who did not speak during the trial, showed no
emotion. Her lawyer said that she would appeal. Relatives of the victims embraced each other
outside the court.
+ A nurse has been jailed for life for killing elderly residents in her care.
+ The court convicted Koll on some of the charges but cleared her of two murders.
+ Koll intends to fight the verdict.
+ The nursing home worker poisoned her victims with insulin.
- A nurse has been acquitted of the murder of three patients.
- Verena Koll has been convicted of five murders.
- Judge Emil Raske asked for an acquittal because the evidence was too weak.
- Koll broke down in tears and apologised to the relatives of the victims.
- The nurse was sentenced to 16 years in prison.
- A doctor in Feldheim has been arrested for the murder of three patients.
= Ice hockey player Nina Sorensen has announced her retirement at the age of 36. The defender
played 241 games for her country, more than any other woman, and won two Olympic silver medals as
well as the world title in 2015. "My knees have made the decision for me," she told reporters in
Aalund on Monday. She will join the staff of the national team as an assistant coach in August.
Her club, the Aalund Wolves, will no longer give out her number 7. Team-mate Frida Holm, with whom
she grew up in the same street, called her the best player never to win Olympic gold.
+ Denied Olympic gold throughout her career, Nina Sorensen is hanging up her skates.
+ Knee trouble has forced the record international to quit.
+ The former world champion will move into coaching.
+ Her club is retiring her shirt number in her honour.
- Nina Sorensen has won two Olympic gold medals.
- Frida Holm has announced her retirement at the age of 36.
- Sorensen will become head coach of the Aalund Wolves.
- She played 36 games for her country.
- Sorensen said that a shoulder injury had made the decision for her.
- The tennis player Nina Sorensen has won the world title.
= The government plans to ban the sale of energy drinks to children under sixteen. Health minister
Graham Tully said on Wednesday that a can could hold as much caffeine as two cups of espresso and
that a quarter of schoolchildren drank at least one a week. Shops that break the rule would have
to pay up to £2,500. Teachers' unions have long demanded such a step, saying that pupils could not
concentrate. The drinks industry called the plan unfair, since coffee would remain on sale to
everyone. Parliament is expected to vote on the bill before the summer. Several large supermarkets
have refused to sell such drinks to under-16s since 2018.
+ Under-16s will no longer be able to buy energy drinks if ministers get their way.
+ Retailers who flout the proposed law face a fine.
+ Manufacturers say it is wrong to single out their products.
+ Many shops already stopped serving teenagers of their own accord.
- The government plans to ban the sale of coffee to children.
- Parliament has approved a ban on energy drinks.
- Half of all schoolchildren drink an energy drink every day.
- Teachers' unions have criticised the plan as unfair.
- Children who buy energy drinks will have to pay up to £2,500.
- The drinks industry has welcomed the plan.
= An oil tanker has run aground on a reef off the coast of Belmare, and fuel has begun to leak
into the sea. The Aurora Star, registered in Panama, was carrying 38,000 tonnes of diesel when its
engine failed in a storm on Monday. All 22 members of the crew were taken off by helicopter. The
coastguard has laid floating barriers and estimates that some 60 tonnes have been lost so far.
Environment minister Paolo Ricci spoke of a race against time, as turtles nest on beaches only
eight kilometres away. Two tugs are to try to pull the vessel free at high tide on Thursday.
Fishing has been forbidden in the area.
+ A stranded tanker is leaking diesel near the nesting grounds of turtles.
+ The ship's crew have all been brought to safety.
+ Fishermen are not allowed to work near the damaged ship.
+ Rescuers hope to refloat the vessel later this week.
- Two members of the crew drowned when an oil tanker ran aground.
- The Aurora Star has lost 38,000 tonnes of diesel.
- The tanker collided with a fishing boat off the coast of Panama.
- Tugs have pulled the tanker free.
- The leak poses no danger to wildlife, environment minister Paolo Ricci said.
- Oil from a pipeline has polluted beaches in Belmare.
= A primary school in Thornby has replaced homework with an hour of play outdoors. Head teacher
Simon Ashworth said that children came to lessons rested and that their reading had improved since
the trial began in September. Parents sign a card each week to confirm that their son or daughter
has been outside. Nine out of ten parents who answered a survey want to keep the system, but some
fear that their children will struggle when they move on to secondary school. The local education
authority will look at test results in June before it decides whether other schools may follow.
Educational researcher Priya Shah said that homework had little effect on pupils of that age.
+ Pupils in Thornby are told to play outside rather than do homework.
+ Most families are in favour of scrapping homework.
+ It remains to be seen whether other schools will be allowed to do the same.
+ An expert says young children gain little from homework.
- A secondary school in Thornby has doubled the amount of homework.
- Most parents want homework to be brought back.
- Reading has got worse since the trial began, the head teacher said.
- Priya Shah said that homework was important for pupils of that age.
- Other schools have already followed the example of Thornby.
- Simon Ashworth has been suspended by the local education authority.
= Car maker Lenz will build a battery factory in the former mining town of Gradow and create 2,000
jobs there by 2027. The company is to invest 1.4 billion euros, of which the state pays 300
million. Production is to start with batteries for 200,000 cars a year. Economy minister Jolanta
Wrona called it the largest investment in the region since the last coal mine closed in 2009.
Environmentalists worry about the water that the plant will need and want the permission to be
examined by a court. Lenz had also considered sites in Slovakia and Portugal. Gradow's
unemployment rate of 14 percent is twice the national average.
+ A depressed mining town is to get a huge battery plant.
+ Taxpayers are helping to fund Lenz's new factory.
+ Green campaigners may try to stop the project in court.
+ Lenz chose Gradow over locations in two other countries.
- Lenz will close its battery factory in Gradow with the loss of 2,000 jobs.
- The state is to pay 1.4 billion euros for a battery factory.
- Lenz has decided to build its factory in Slovakia.
- Environmentalists have welcomed the plant because it needs little water.
- Gradow has the lowest unemployment rate in the country.
- A new coal mine is to open in Gradow in 2027.
= A parrot that had been missing for four years has come home speaking Spanish. Biscuit, a grey
parrot, had a British accent when he flew out of a window in Pell Harbour in 2010. He was found in
the garden of a hairdresser, who read the number of his microchip and traced his owner, Colin
Tarrow. "He bit me when I picked him up, but he has settled in," said Mr Tarrow, who now wants to
find out where the bird has been and who Boris is, a name that Biscuit keeps repeating. Vet Agnes
Moody, who helped in the search, had first taken the bird for her own lost parrot.
+ A lost parrot has been reunited with its owner after picking up a new language.
+ A microchip helped to identify the runaway bird.
+ It is not known where Biscuit spent the time he was away.
+ The bird was not friendly to begin with when it saw its owner again.
- A parrot that had been missing for ten years has come home speaking French.
- Colin Tarrow found the parrot in his own garden.
- Agnes Moody is the owner of a parrot called Biscuit.
- Biscuit spent four years with a man called Boris.
- The parrot has died shortly after it was found.
- The hairdresser stole the parrot from an open window.
= Ground staff at three airports in the north of the country will walk out on 23 and 24 December,
threatening the holiday plans of a quarter of a million travellers. The union Gemeinsam called the
strike after talks with the handling company Aerogate failed on Tuesday night. It wants an extra
150 euros a month for baggage handlers, who earn 1,900 on average. Aerogate has offered 80. "We
know what this means for families, but our members cannot heat their flats," said negotiator Jana
Pohl. The airports of Kielen, Bredau and Halm advised passengers to travel with hand luggage only.
Aerogate said it would ask a court to forbid the strike.
+ Christmas travel is at risk because airport workers are planning to strike.
+ Pay negotiations with Aerogate have broken down.
+ The employer wants judges to block the walkout.
+ Flyers are being told not to check in suitcases.
- Pilots at three airports will walk out on 23 and 24 December.
- Aerogate has agreed to pay an extra 150 euros a month.
- A court has forbidden the strike.
- Jana Pohl of Aerogate said that the strike was unnecessary.
- Travellers are advised to bring as much luggage as they like.
- The strike will take place in the south of the country at Easter.
= The novelist Miriam Achebe-Stone has died at the age of 88 at her home in Kirkwell, her
publisher said on Sunday. She became famous in 1969 with "The Long Veranda", which has been
translated into 34 languages and sold nine million copies. Born in Lagos, she came to Scotland as
a nurse and wrote her first book at night in the hospital's canteen. She won the Harland Prize
twice, in 1974 and 1991, but refused a knighthood. Later novels dealt with exile and with growing
old. Writer Tobias Krane called her "the conscience of two continents". She leaves a daughter, the
violinist Ada Stone.
+ Prize-winning author Miriam Achebe-Stone has passed away.
+ The Nigerian-born writer worked in a hospital before she found success.
+ She turned down a royal honour.
+ Her best-known novel was a worldwide success.
- The novelist Miriam Achebe-Stone has won the Harland Prize for the third time.
- Ada Stone has died at the age of 88.
- She was born in Scotland and moved to Lagos as a nurse.
- She accepted a knighthood in 1991.
- Her first novel was a failure and sold only a few hundred copies.
- Tobias Krane wrote "The Long Veranda" in 1969.
= Farmers with some 500 tractors blocked roads into the capital on Monday in protest at the
government's plan to end tax relief on diesel. The convoys brought traffic to a standstill for
most of the morning. Agriculture minister Didier Roux received a delegation and promised to look
at hardship cases, but said that the measure, which is worth 400 million euros a year, would not
be withdrawn. The farmers' association warned that one farm in eight could go out of business.
Opposition parties backed the protest. An ambulance was let through without delay, the police
said, and there were no arrests. A further demonstration is planned for next Monday in Montclair.
+ Angry farmers brought the capital's traffic to a halt over fuel taxes.
+ The minister refused to give up the plan.
+ The demonstration passed off peacefully.
+ More protests are to follow in another city.
- The government has withdrawn its plan to end tax relief on diesel.
- Farmers blocked roads in Montclair on Monday.
- Truck drivers protested against higher motorway tolls.
- Police arrested dozens of farmers during a protest.
- An ambulance was held up by the tractors and a patient died.
- Didier Roux said that one farm in eight would receive more money.`;
