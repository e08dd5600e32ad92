import type { ShopTexts } from './shop-texts.ts'

export const PADARIA: ShopTexts = {
  loja: 'Padaria Pão da Vila',
  textos: [
    {
      titulo: 'Horário de funcionamento',
      texto: 'Abrimos de segunda a sábado das 6h às 20h30. Aos domingos abrimos das 7h às 13h.',
      perguntas: ['que horas vcs abrem??', 'até que hrs fica aberto hj', 'abre domingo de manha?'],
    },
    {
      titulo: 'Feriados',
      texto:
        'Nos feriados nacionais a padaria abre das 7h às 12h. Fechamos somente no dia 25 de dezembro e no dia 1º de janeiro.',
      perguntas: ['vai abrir no feriado?', 'voces funcionam no natal', 'dia 1 de janeiro tem pão?'],
    },
    {
      titulo: 'Entrega',
      texto:
        'Entregamos nos bairros Vila Nova, Centro e Jardim das Flores. A taxa é de R$ 6,00 e o pedido leva até 50 minutos.',
      perguntas: ['vcs entregam no jardim das flores?', 'qto é a taxa de entrega', 'faz delivery?'],
    },
    {
      titulo: 'Pedido mínimo',
      texto: 'O valor mínimo para receber em casa é de R$ 25,00. Acima de R$ 90,00 o frete é grátis.',
      perguntas: ['tem pedido minimo?', 'a partir de quanto o frete é gratis', 'qual o valor minimo pra entregar'],
    },
    {
      titulo: 'Formas de pagamento',
      texto: 'Aceitamos dinheiro, PIX, cartões de débito e crédito. Não aceitamos cheque.',
      perguntas: ['aceita cartao?', 'posso pagar no pix', 'vcs pegam cheque'],
    },
    {
      titulo: 'Vale-refeição',
      texto: 'Os vales Alelo, Sodexo e Ticket Alimentação passam na loja. Não passam na entrega.',
      perguntas: ['passa vale alimentação?', 'aceitam alelo', 'sodexo passa ai?'],
    },
    {
      titulo: 'Alérgenos',
      texto:
        'Todos os produtos são feitos na mesma cozinha e podem conter trigo, leite, ovos, soja e castanhas. Não recomendamos a pessoas celíacas.',
      perguntas: [
        'meu filho é alergico a castanha, pode comer?',
        'tem gluten nos bolos?',
        'sou celíaca, tem algo pra mim',
      ],
    },
    {
      titulo: 'Sem lactose e sem açúcar',
      texto:
        'Às quartas e sextas temos pão de fermentação natural sem leite e bolo de banana sem açúcar. Reserve pelo WhatsApp.',
      perguntas: ['tem bolo sem açucar p diabetico', 'pao sem lactose tem?', 'vcs fazem algo zero acucar'],
    },
    {
      titulo: 'Encomenda de bolos',
      texto:
        'Bolos decorados precisam de 48 horas de antecedência e sinal de 50%. O preço é por quilo, a partir de R$ 69,90.',
      perguntas: [
        'qto tempo antes tem q encomendar bolo',
        'bolo de aniversario decorado quanto custa o kg',
        'precisa dar sinal pra encomenda?',
      ],
    },
    {
      titulo: 'Salgados para festa',
      texto:
        'O cento de salgados custa R$ 79,00 e sai frito na hora. Peça com um dia de antecedência: coxinha, quibe, bolinha de queijo e risole.',
      perguntas: ['quanto é o cento de coxinha', 'cento do salgado preço', 'faz salgadinho pra festa?'],
    },
    {
      titulo: 'Fornadas de pão francês',
      texto: 'O pão francês sai do forno às 6h, às 10h, às 15h e às 18h. O quilo custa R$ 18,90.',
      perguntas: ['q horas sai pão quentinho', 'quanto ta o quilo do pao frances', 'horario da fornada da tarde'],
    },
    {
      titulo: 'Café da manhã no salão',
      texto:
        'O café colonial com bufê livre é servido aos sábados e domingos, das 8h às 11h, por R$ 49,90 por pessoa. Crianças até 6 anos não pagam.',
      perguntas: ['qual valor do café colonial', 'criança paga no buffet?', 'tem café da manhã no sabado'],
    },
    {
      titulo: 'Estacionamento',
      texto: 'Há 12 vagas gratuitas ao lado da loja, por até 40 minutos. Bicicletas têm um suporte na calçada.',
      perguntas: ['tem onde parar o carro?', 'tem estacionamento', 'posso deixar a bicicleta ai'],
    },
    {
      titulo: 'Trocas e reclamações',
      texto:
        'Se algo veio errado ou estragado, mande uma foto no mesmo dia. Trocamos o produto ou devolvemos o dinheiro.',
      perguntas: ['meu pão veio mofado oq faço', 'o bolo veio errado, vcs trocam?', 'quero meu dinheiro de volta'],
    },
    {
      titulo: 'Retirada na loja',
      texto: 'Pedidos feitos pelo WhatsApp podem ser retirados no balcão em 20 minutos, sem fila, no caixa 3.',
      perguntas: ['posso pedir e ir buscar?', 'em quanto tempo posso retirar', 'retiro em qual caixa'],
    },
    {
      titulo: 'Endereço',
      texto: 'Estamos na Rua das Acácias, 210, esquina com a praça da igreja matriz, na Vila Nova.',
      perguntas: ['onde fica a padaria', 'qual o endereco de vcs', 'é perto da igreja?'],
    },
    {
      titulo: 'Conservação',
      texto:
        'O pão de fermentação natural dura três dias em saco de papel e até 60 dias congelado. Aqueça no forno, nunca no micro-ondas.',
      perguntas: ['posso congelar o pao?', 'quanto tempo dura o pão natural', 'da pra esquentar no microondas'],
    },
    {
      titulo: 'Programa de fidelidade',
      texto: 'A cada dez cafés expressos o próximo é por nossa conta. Peça o cartão de carimbos no caixa.',
      perguntas: ['tem cartao fidelidade?', 'como ganho cafe de graça', 'onde pego o cartão de carimbo'],
    },
    {
      titulo: 'Trabalhe conosco',
      texto: 'Envie seu currículo para vagas@paodavila.com.br. Procuramos balconistas e ajudantes de padeiro.',
      perguntas: ['estao contratando?', 'como mando curriculo', 'tem vaga de emprego'],
    },
    {
      titulo: 'Nota fiscal para empresas',
      texto:
        'Emitimos nota fiscal com CNPJ. Peça antes de pagar. Empresas com pedidos diários recebem um boleto quinzenal.',
      perguntas: ['emitem nf com cnpj?', 'minha empresa pode pagar por boleto', 'preciso de nota fiscal'],
    },
  ],
}
