import type { ShopTexts } from './shop-texts.ts'

export const PIZZARIA: ShopTexts = {
  loja: 'Pizzaria Forno Alto',
  textos: [
    {
      titulo: 'Dias e horas',
      texto: 'A pizzaria funciona de terça a domingo, das 18h às 23h30. Às segundas não abrimos.',
      perguntas: ['abre segunda?', 'que horas comeca a funcionar', 'ate q horas da pra pedir pizza'],
    },
    {
      titulo: 'Área de entrega',
      texto: 'O motoboy atende num raio de 6 km: Santa Rita, Boa Vista, Alvorada e Parque dos Pinheiros.',
      perguntas: ['entregam em alvorada', 'vcs atendem o parque dos pinheiros?', 'qual regiao vcs entregam'],
    },
    {
      titulo: 'Taxa de entrega',
      texto: 'Até 3 km cobramos R$ 5,00. De 3 a 6 km cobramos R$ 9,00.',
      perguntas: ['quanto fica o frete', 'qual a taxa pra 5 km', 'cobra pra entregar?'],
    },
    {
      titulo: 'Tempo de espera',
      texto:
        'Durante a semana a pizza chega em cerca de 40 minutos. Às sextas e aos sábados a demora pode ser de 75 minutos.',
      perguntas: ['demora muito?', 'em qnto tempo chega a pizza', 'quanto ta demorando no sabado'],
    },
    {
      titulo: 'Tamanhos',
      texto: 'A broto tem 4 fatias, a média 6, a grande 8 e a família 12 fatias, que servem cinco pessoas.',
      perguntas: ['quantos pedaços tem a grande', 'qual tamanho serve 5 pessoas', 'a broto tem quantas fatias?'],
    },
    {
      titulo: 'Meio a meio',
      texto: 'A grande e a família aceitam até dois sabores. Cobramos o valor do sabor mais caro.',
      perguntas: ['pode fazer metade calabresa metade frango', 'dois sabores cobra como?', 'faz meia a meia na grande'],
    },
    {
      titulo: 'Bordas',
      texto: 'A borda recheada de catupiry, cheddar ou chocolate custa R$ 12,00 a mais.',
      perguntas: ['tem borda recheada?', 'borda de catupiri quanto é', 'poe chocolate na borda?'],
    },
    {
      titulo: 'Massa sem glúten',
      texto:
        'Temos massa sem glúten só no tamanho broto, com acréscimo de R$ 8,00. O forno é o mesmo das outras pizzas, por isso há risco de contaminação cruzada.',
      perguntas: ['tem pizza sem gluten', 'celiaco pode comer a massa?', 'o forno é o mesmo das outras?'],
    },
    {
      titulo: 'Sabores veganos',
      texto: 'A marguerita vegana e a de brócolis com alho levam queijo de castanha, sem nada de origem animal.',
      perguntas: ['tem opçao vegana', 'alguma pizza sem nada de animal?', 'a vegana tem q queijo'],
    },
    {
      titulo: 'Pagamentos na entrega',
      texto:
        'O entregador leva a maquininha de débito e crédito. Para pagar em dinheiro, avise para quanto precisa de troco.',
      perguntas: ['leva a maquininha?', 'tem troco pra 100', 'da pra passar cartao com o motoboy'],
    },
    {
      titulo: 'Chave PIX',
      texto: 'O PIX é para a chave CNPJ da Forno Alto Alimentos. Mande o comprovante nesta conversa.',
      perguntas: ['qual a chave do pix', 'mando comprovante pra onde', 'pix no nome de quem?'],
    },
    {
      titulo: 'Promoção de terça',
      texto: 'Toda terça a segunda pizza grande sai pela metade do preço. A oferta não vale para entrega no feriado.',
      perguntas: ['qual a promoção de terça', 'tem desconto na segunda pizza?', 'a promo vale em feriado'],
    },
    {
      titulo: 'Bebidas',
      texto:
        'Refrigerante de 2 litros por R$ 14,00, suco natural de uva e laranja, e cervejas long neck só para maiores de 18 anos.',
      perguntas: ['tem coca 2 litros? qto', 'vende cerveja', 'que sucos vcs tem'],
    },
    {
      titulo: 'Reservas de mesa',
      texto:
        'Reservamos mesas para grupos de oito ou mais pessoas até as 19h. Depois desse horário a entrada é por ordem de chegada.',
      perguntas: ['posso reservar mesa pra 10 pessoas', 'fazem reserva?', 'da pra guardar lugar as 20h'],
    },
    {
      titulo: 'Rodízio',
      texto: 'O rodízio custa R$ 64,90 por adulto, às quartas e quintas. Crianças de 5 a 10 anos pagam metade.',
      perguntas: ['quanto é o rodisio', 'que dia tem rodízio', 'crianca paga quanto no rodizio'],
    },
    {
      titulo: 'Pizza fria ou trocada',
      texto:
        'Chegou fria, amassada ou com sabor errado? Fotografe e fale conosco em até 30 minutos. Mandamos outra sem cobrar.',
      perguntas: ['minha pizza chegou fria!!', 'mandaram o sabor errado', 'veio toda amassada a pizza'],
    },
    {
      titulo: 'Cancelamento',
      texto: 'O pedido pode ser cancelado enquanto não entrou no forno. Depois disso ele é cobrado.',
      perguntas: ['quero cancelar meu pedido', 'desisti, ainda da tempo?', 'posso cancelar depois q assou'],
    },
    {
      titulo: 'Vagas para carros',
      texto: 'Temos convênio com o estacionamento Estaciona Fácil, na mesma rua: a primeira hora é por nossa conta.',
      perguntas: ['onde estaciono', 'tem estacionamento gratis?', 'quanto custa parar o carro ai'],
    },
    {
      titulo: 'Acessibilidade e crianças',
      texto: 'O salão tem rampa, banheiro adaptado, cadeirões e um espaço com brinquedos.',
      perguntas: ['da pra ir de cadeira de rodas', 'tem espaço kids', 'tem cadeirao pra bebe?'],
    },
    {
      titulo: 'Pizzas doces',
      texto: 'As doces são brigadeiro, banana com canela, romeu e julieta e prestígio. Só no tamanho broto ou média.',
      perguntas: ['quais pizzas doces tem', 'tem de brigadeiro grande?', 'vcs tem romeu e julieta'],
    },
  ],
}
