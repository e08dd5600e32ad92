/** Words of Portuguese chat that do not say what a question is about, and words for the same thing. All are folded. */

const words = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.join(' ').split(' '))

/** Greetings, politeness, function words, and verbs and nouns that any question may have. */
export const FILLER_WORDS = words(
  'oi oie oii oiii ola opa eai hey hello salve bom boa bons boas dia dias tarde tardes noite noites tudo bem td blz beleza',
  'obrigado obrigada obg obgd valeu vlw grato grata favor pf pfv pfvr porfavor gentileza desculpa desculpe licenca',
  'um uma uns umas os as ao aos da das de do dos em no na nos nas num numa por pelo pela pelos pelas para pra pras pro pros com',
  'sem sobre ate entre desde mas ou se que q qual quais quem quando onde aonde como porque pq porq quanto quanta quantos quantas qnto qto',
  'eu tu ele ela eles elas nos voce voces vc vcs ce ces me mim te lhe meu minha meus minhas seu sua seus suas nosso nossa',
  'esse essa esses essas este esta estes estas isso isto aquele aquela aquilo ai aqui la ali ca ja ainda tambem tb tbm so apenas',
  'mais menos muito muita muitos pouco todo toda todos todas algum alguma alguns algumas nenhum nenhuma outro outra mesmo mesma',
  'nao sim nem talvez entao agora hoje hj logo depois antes sempre nunca bem mal ne tipo assim dai pois tao',
  'ser sou era foi sao seja seria estou esta estao estava ta tao to estar ter tem tens temos tinha teria teriam tenho havia ha houve',
  'ir vou vai vao vamos vem vir fui ia poder posso pode podem podia poderia poderiam consigo consegue conseguem conseguir da dao dar',
  'quero quer querem queria queriam querer gostaria gostar gosto preciso precisa precisava precisar saber sabe sabem sei',
  'fazer faz fazem faco feito feita fazendo ver vejo dizer diz disse falar fala falo falou passar mandar manda enviar envia',
  'comprar compro compra vender vende vendem venda trabalha trabalham aceita aceitam existe existem ficar usar achar acho',
  'preco precos valor valores custa custam custo cobra cobram cobrar quantia informar informacao informacoes info duvida duvidas pergunta perguntas resposta',
  'pagar produto produtos mando ficar fica ficam funciona ajuda ajudar atendente atendimento humano pessoa alguem ninguem loja empresa site whats zap whatsapp mensagem numero msg',
  'coisa coisas jeito forma tipo tipos caso vez vezes gente moca moco amigo amiga senhor senhora querido querida',
)

/** Words of one line name the same wish in the questions of customers. */
export const SAME_WORDS: readonly string[] = [
  'horario hora abre aberto fecha fechado funcionam funcionamento expediente',
  'entrega delivery motoboy entregador',
  'frete taxa',
  'endereco localizacao local localizado mapa',
  'cartao credito debito maquininha',
  'parcela parcelamento prestacao',
  'emprego vaga curriculo curriculum contratando contratacao',
  'troca devolver devolucao devolve',
  'fiscal nf nfe danfe',
  'desconto promocao promo oferta cupom',
  'atacado revenda revendedor',
  'aniversario aniversariante niver',
  'gluten celiaco',
  'cachorro pet animal animais',
  'conserto reparo arrumam',
]

/** Between the words of a name. */
export const NAME_PARTICLES = words('da de do das dos di del van von e')
