/** Questions of customers of different shops, by what they ask. Each line is one text. */
const QUESTIONS: Readonly<Record<string, string>> = {
  parcelamento: `vocês parcelam no cartão?
dá pra parcelar em quantas vezes
Boa tarde, parcela sem juros?
consigo parcelar a compra
parcelam em 10x?
vcs parcelao?
posso pagar parcelado
qual o máximo de parcelas
Oi, aceita parcelar no boleto?
queria saber se parcela`,
  entregaBairro: `vocês entregam no Jardim América?
entrega em Diadema?
fazem entrega em São Caetano
entregam na zona sul?
Olá! Vocês entregam aqui no centro
tem entrega pro bairro Boa Vista
faz delivery?
entregan em casa?
vcs fazem entrega hj
entregas para Osasco`,
  emprego: `estão contratando?
vocês têm vaga de emprego?
onde mando meu currículo
queria deixar um curriculo
tem vaga pra balconista?
Bom dia, gostaria de saber se tem vagas
estou procurando emprego, estão precisando de gente?
como faço pra enviar curriculum
tem vaga de meio período
posso entregar meu currículo aí?`,
  estacionamento: `tem estacionamento?
o estacionamento é pago?
vocês têm estacionamento no local
da pra estacionar na frente
tem onde estacionar o carro?
estacionameto gratuito?
como funciona o estacionamento
o estacionamento fica aberto a noite?`,
  semGluten: `tem bolo sem glúten?
vocês fazem sem gluten
alguma opção sem glúten?
sou celíaca, tem algo pra mim
o pão é sem glúten?
tem massa sem gluten
quais produtos não tem glúten
gluten free tem?`,
  vegano: `tem opção vegana?
vocês têm bolo vegano
algum prato vegano no cardápio
quais são os veganos
faz torta vegana?
sou vegana, o que tem?
hambúrguer vegano tem
vocês trabalham com produtos veganos?`,
  garantia: `tem garantia?
qual a garantia do produto
quantos meses de garantia
a garantia cobre queda?
meu produto ainda tá na garantia
como aciono a garantia
garantia de quanto tempo
oi, perdi a nota, ainda vale a garantia?
garntia de fábrica?`,
  troca: `posso trocar o tamanho?
como faço a troca
quero trocar um presente
qual o prazo pra troca
vocês trocam sem a etiqueta
fazem troca de roupa
quero devolver o produto
como funciona a devolução
troca precisa da nota?
não serviu, dá pra trocar?`,
  notaFiscal: `vocês emitem nota fiscal?
preciso da nota fiscal
manda a nota fiscal por favor
tem como tirar nota fiscal no cnpj
não recebi a nota fiscal
nota fiscal eletrônica vocês fazem
pode emitir nf da compra?
quero a segunda via da nota fiscal`,
  animais: `pode levar cachorro?
vocês são pet friendly
aceitam cachorro no salão?
posso ir com meu cachorro
cachorros podem entrar
é permitido cachorro na área externa?
tem espaço pra cachorro`,
  aniversario: `fazem festa de aniversário?
dá pra comemorar aniversário aí
quanto custa um bolo de aniversário
tem desconto pra aniversariante?
pacote de aniversário pra 20 pessoas
quero reservar pro meu aniversario
como funciona aniversário infantil
decoração de aniversário vocês fazem`,
  wifi: `tem wifi?
qual a senha do wifi
o wi-fi é liberado?
a senha do wifi mudou?
tem wifi pra clientes
wifi funciona aí?
me passa a senha do wifi`,
  atacado: `vende no atacado?
qual o preço no atacado
vocês vendem por atacado
a partir de quantas peças é atacado
quero revender, como funciona
tabela de atacado por favor
sou revendedora, tem preço diferente
preço pra revenda
compra mínima no atacado`,
  conserto: `vocês consertam celular?
fazem conserto de tela
quanto fica o conserto
conserta iphone?
conserto demora muito?
levei pra consertar e não ligaram
conserto de notebook vocês fazem
meu conserto ficou pronto?`,
  valeRefeicao: `aceita vale refeição?
passa vale alimentação
vocês aceitam vale
pega ticket ou vale refeição?
qual bandeira de vale vocês aceitam
dá pra pagar com vale alimentação
aceitam vale refeicao sodexo
vale alure aceita?`,
  horarioFeriado: `abre no feriado?
vão abrir no feriado de sexta
funciona no feriado?
qual o horário no feriado
feriado vocês fecham
vai ter expediente no feriado
amanhã é feriado, vocês abrem?
horario de feriado`,
}

const NOISE = `oi
bom dia, tudo bem?
ok obrigada
kkkkkk
aguardando
? ?
já paguei ontem
meu irmão vai passar pegar
a torneira está pingando
esqueci meu guarda-chuva na mesa
quanto tá o quilo da picanha
vcs tem tinta azul royal
o link não abre no meu aparelho
recebi a caixa amassada
a moça do caixa foi muito grossa
perdi meu brinco ontem
preciso de 30 cadeiras plásticas
foto do modelo preto
tem esse sapato no 38
a música estava alta
chegou o sabor pistache?
qual o sabor do dia
lavam tapete persa?
qual a diferença do plano ouro
sim
pode ser
manda foto
esse é o zap da dona Neide?
liguei mas chama e cai`

export interface LabelledQuestion {
  /** Null: no other text asks the same. */
  readonly label: string | null
  readonly texto: string
}

export const LABELLED_QUESTIONS: readonly LabelledQuestion[] = [
  ...Object.entries(QUESTIONS).flatMap(([label, lines]) => lines.split('\n').map((texto) => ({ label, texto }))),
  ...NOISE.split('\n').map((texto) => ({ label: null, texto })),
]
