import type { ShopTexts } from './shop-texts.ts'

export const HAMBURGUERIA: ShopTexts = {
  loja: 'Hamburgueria Brasa 47',
  textos: [
    {
      titulo: 'Quando abrimos',
      texto: 'Abertos todos os dias das 11h30 às 14h30 e das 18h à meia-noite.',
      perguntas: ['abre pro almoço?', 'vcs ficam abertos ate meia noite', 'q hr abre a noite'],
    },
    {
      titulo: 'Véspera e feriado',
      texto:
        'Na véspera de Natal e no dia 31 de dezembro atendemos somente no almoço. Nos outros feriados o horário é o normal.',
      perguntas: ['abre dia 31?', 'vespera de natal funciona?', 'feriado é horario normal'],
    },
    {
      titulo: 'Delivery próprio e aplicativos',
      texto:
        'Pelo nosso WhatsApp o lanche sai 15% mais barato que nos aplicativos. A entrega é feita por nossos motoqueiros.',
      perguntas: ['é mais barato pelo zap ou ifood', 'a entrega é de vcs mesmo?', 'tem desconto pedindo por aqui'],
    },
    {
      titulo: 'Frete por bairro',
      texto: 'Centro e Savassi: R$ 4,90. Lourdes, Funcionários e Serra: R$ 7,90. Outros bairros: consulte.',
      perguntas: ['frete pra lourdes', 'quanto pra entregar na serra', 'moro no centro qual a taxa'],
    },
    {
      titulo: 'Ponto da carne',
      texto: 'O hambúrguer de 160 g sai ao ponto. Você pode pedir mal passado ou bem passado nas observações.',
      perguntas: ['da pra pedir a carne bem passada', 'quantas gramas tem a carne', 'vem mal passado?'],
    },
    {
      titulo: 'Blend de carnes',
      texto: 'O blend da casa mistura peito, acém e costela, moídos no dia, sem conservantes.',
      perguntas: ['de q carne é o hamburguer', 'a carne tem conservante?', 'é moida no dia?'],
    },
    {
      titulo: 'Opções vegetarianas',
      texto:
        'O Verde 47 é de grão-de-bico com cogumelos. Pode virar vegano sem a maionese e com pão de batata sem ovos.',
      perguntas: ['tem hamburguer vegetariano', 'o vegetariano é feito de que', 'tem lanche vegano?'],
    },
    {
      titulo: 'Pão sem glúten e alergias',
      texto:
        'Trocamos o pão por folhas de alface ou por pão sem glúten (R$ 5,00). A fritadeira também prepara camarão: cuidado se você é alérgico a crustáceos.',
      perguntas: ['troca o pao por alface?', 'tenho alergia a camarão', 'pao sem gluten custa mais'],
    },
    {
      titulo: 'Combos',
      texto: 'O combo leva batata média e refrigerante lata por mais R$ 16,00 em qualquer lanche.',
      perguntas: ['o combo vem com oq', 'quanto a mais pra virar combo', 'o refri do combo é lata?'],
    },
    {
      titulo: 'Batatas e acompanhamentos',
      texto: 'Batata rústica, cebola empanada e mandioca frita. A porção grande dá para três pessoas.',
      perguntas: ['tem onion rings ou cebola', 'a porçao grande de batata serve quantos', 'quais acompanhamentos'],
    },
    {
      titulo: 'Molhos',
      texto:
        'Maionese verde, barbecue, mostarda e mel e molho picante. Dois potes são grátis e cada pote extra custa R$ 3,00.',
      perguntas: ['molho extra paga?', 'vem maionese verde', 'quais molhos vcs tem'],
    },
    {
      titulo: 'Lanche infantil',
      texto: 'O Brasinha tem 80 g de carne, queijo, suco e um brinde surpresa. Custa R$ 24,90.',
      perguntas: ['tem lanche pra criança', 'o brasinha vem com brinde?', 'lanche kids quanto'],
    },
    {
      titulo: 'Como pagar',
      texto: 'PIX, cartão de crédito e débito, vale-refeição VR e Ticket. Dinheiro somente na loja.',
      perguntas: ['aceita vr?', 'pode pagar em dinheiro na entrega', 'quais formas de pagamento'],
    },
    {
      titulo: 'Pedido atrasado',
      texto: 'Se passar de 60 minutos da confirmação, você ganha um milk-shake no próximo pedido. Avise aqui.',
      perguntas: ['meu pedido ta atrasado', 'ja faz mais de 1 hora e nada', 'oq ganho se atrasar'],
    },
    {
      titulo: 'Item faltando',
      texto: 'Faltou algum item? Conte em até uma hora que reenviamos sem custo ou fazemos o estorno.',
      perguntas: ['faltou minha batata', 'veio sem o refrigerante', 'esqueceram um item do pedido'],
    },
    {
      titulo: 'Aniversariantes',
      texto: 'No dia do seu aniversário a sobremesa é cortesia, com documento e consumo de um lanche.',
      perguntas: [
        'aniversariante ganha algo',
        'faço niver hoje tem cortesia?',
        'precisa levar documento no aniversario',
      ],
    },
    {
      titulo: 'Cervejas e chope',
      texto: 'Chope pilsen de 400 ml por R$ 12,00 e IPA artesanal. Em dobro das 18h às 20h, de segunda a quinta.',
      perguntas: ['tem chopp em dobro?', 'happy hour q horas', 'quanto ta o chope'],
    },
    {
      titulo: 'Onde estamos',
      texto: 'Avenida Contorno, 4700, loja 2, ao lado do posto de gasolina. Há três vagas na frente.',
      perguntas: ['qual endereço', 'fica perto do posto?', 'tem vaga na frente'],
    },
    {
      titulo: 'Animais no salão',
      texto: 'Cães são bem-vindos na varanda, com guia. Temos potes de água.',
      perguntas: ['posso levar meu dog', 'é pet friendly?', 'cachorro pode entrar'],
    },
    {
      titulo: 'Franquias',
      texto: 'Para abrir uma unidade, escreva para franquia@brasa47.com.br. O investimento começa em R$ 280 mil.',
      perguntas: [
        'quero abrir uma franquia',
        'quanto custa pra ser franqueado',
        'investimento pra ter uma loja de vcs',
      ],
    },
  ],
}
