import type { ShopTexts } from './shop-texts.ts'

export const PETSHOP: ShopTexts = {
  loja: 'Pet Shop Amigo Fiel',
  textos: [
    {
      titulo: 'Horário da loja',
      texto: 'Loja aberta de segunda a sexta das 8h às 19h e aos sábados das 8h às 17h. Domingo fechado.',
      perguntas: ['abre domingo?', 'ate que horas sabado', 'horario de funcionamento pfv'],
    },
    {
      titulo: 'Banho e tosa: agenda',
      texto:
        'Os banhos são com hora marcada, das 8h30 às 16h. Reserve com um dia de antecedência e chegue dez minutos antes.',
      perguntas: ['quero marcar banho', 'precisa agendar tosa?', 'da pra dar banho hj sem marcar'],
    },
    {
      titulo: 'Preços do banho',
      texto: 'Porte pequeno R$ 55, médio R$ 75, grande R$ 110. Gatos R$ 90. A tosa higiênica está incluída.',
      perguntas: ['quanto é banho pra cachorro grande', 'banho em gato preço', 'a tosa higienica ta inclusa?'],
    },
    {
      titulo: 'Tosa na tesoura',
      texto: 'A tosa na tesoura, o trimming e a tosa bebê custam a partir de R$ 130 e levam cerca de três horas.',
      perguntas: ['fazem tosa bebe', 'quanto tempo leva a tosa na tesoura', 'valor do trimming'],
    },
    {
      titulo: 'Vacinas exigidas',
      texto:
        'Para o banho o animal precisa da carteirinha com antirrábica e V10 em dia. Filhotes só depois da terceira dose.',
      perguntas: ['precisa de vacina pra tomar banho?', 'filhote pode tomar banho', 'tem que levar a carteirinha'],
    },
    {
      titulo: 'Vacinação na clínica',
      texto: 'Aplicamos V8, V10, antirrábica, gripe canina e quádrupla felina. Cada dose custa entre R$ 85 e R$ 140.',
      perguntas: ['vcs vacinam?', 'quanto custa vacina da raiva', 'tem vacina pra gato'],
    },
    {
      titulo: 'Consulta veterinária',
      texto:
        'A doutora Helena atende de terça a sábado das 9h às 16h. A consulta custa R$ 150 e o retorno em 15 dias não é cobrado.',
      perguntas: ['valor da consulta', 'q dia o veterinario atende', 'o retorno paga de novo?'],
    },
    {
      titulo: 'Emergências',
      texto:
        'Não temos plantão à noite. Em caso de urgência procure o Hospital Veterinário Cães & Cia, aberto 24 horas, na Avenida Brasil.',
      perguntas: ['meu cachorro ta passando mal de madrugada', 'tem plantao 24h?', 'emergencia pra onde levo'],
    },
    {
      titulo: 'Hotelzinho',
      texto:
        'A diária da hospedagem é R$ 80 com ração do próprio animal. Pedimos antipulgas recente e adaptação de uma tarde.',
      perguntas: ['vou viajar, hospedam cachorro?', 'quanto a diaria do hotel', 'tem hotelzinho pet'],
    },
    {
      titulo: 'Leva e traz',
      texto: 'O táxi dog busca e devolve em um raio de 5 km por R$ 20. Combine no dia anterior.',
      perguntas: ['vcs buscam em casa', 'tem taxi dog?', 'quanto pra buscar e trazer'],
    },
    {
      titulo: 'Ração a granel',
      texto: 'Vendemos ração por quilo de cinco marcas. A quantidade mínima é de 500 g.',
      perguntas: ['vende raçao por kilo?', 'qual o minimo de ração a granel', 'racao solta quais marcas'],
    },
    {
      titulo: 'Entrega de produtos',
      texto: 'Compras acima de R$ 60 são entregues no mesmo dia, se pedidas até as 15h. Abaixo disso a taxa é R$ 8.',
      perguntas: ['entrega raçao no mesmo dia?', 'qual a taxa pra entregar', 'pedindo as 16h chega hoje'],
    },
    {
      titulo: 'Troca de produtos',
      texto: 'Trocamos coleiras, roupas e camas sem uso em até sete dias com a etiqueta. Ração aberta não tem troca.',
      perguntas: ['a roupinha ficou pequena posso trocar', 'troca ração aberta?', 'qual prazo pra trocar coleira'],
    },
    {
      titulo: 'Medicamentos com receita',
      texto: 'Antibióticos e controlados só com receita do veterinário, retida na loja.',
      perguntas: ['vende antibiotico sem receita', 'precisa de receita pro remedio?', 'remedio controlado vcs vendem'],
    },
    {
      titulo: 'Antipulgas e vermífugos',
      texto:
        'Temos comprimidos e pipetas contra pulgas e carrapatos, e vermífugo de dose única. Pese o animal antes: a dose depende do peso.',
      perguntas: ['remedio pra pulga', 'meu gato ta com carrapato', 'como sei a dose do vermifugo'],
    },
    {
      titulo: 'Pagamento e parcelas',
      texto: 'Cartão em até três vezes sem juros acima de R$ 150, débito, PIX com 5% de desconto e dinheiro.',
      perguntas: ['parcela em quantas vezes', 'no pix tem desconto', 'aceita credito?'],
    },
    {
      titulo: 'Plano de banhos',
      texto: 'O pacote mensal com quatro banhos sai 20% mais barato e vale por 45 dias.',
      perguntas: ['tem pacote de banho?', 'plano mensal quanto de desconto', 'o pacote vale por qto tempo'],
    },
    {
      titulo: 'Adoção',
      texto:
        'No primeiro sábado do mês recebemos a feira da ONG Patinhas. Leve RG, comprovante de endereço e responda à entrevista.',
      perguntas: ['tem animal pra adotar', 'quando é a feira de adoçao', 'que documento leva pra adotar'],
    },
    {
      titulo: 'Peixes e aquários',
      texto: 'Vendemos bettas, guppies, plantas e filtros. Testamos a água do seu aquário sem cobrar.',
      perguntas: ['vcs tem peixe betta', 'testam agua do aquario', 'vende filtro de aquario?'],
    },
    {
      titulo: 'Como chegar',
      texto: 'Rua Sete de Setembro, 88, em frente ao mercado municipal. Duas vagas exclusivas na porta.',
      perguntas: ['qual o endereco do petshop', 'da pra estacionar na porta?', 'fica em frente ao mercado?'],
    },
  ],
}
