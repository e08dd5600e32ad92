import type { ShopTexts } from './shop-texts.ts'

export const MERCADO: ShopTexts = {
  loja: 'Mercado Bom Preço',
  textos: [
    {
      titulo: 'Funcionamento',
      texto: 'O mercado abre às 7h e fecha às 22h, todos os dias. Aos domingos fecha às 18h.',
      perguntas: ['q horas fecha domingo', 'abre cedo?', 'que horas fecha hj'],
    },
    {
      titulo: 'Feriados do ano',
      texto: 'Fechamos na Sexta-Feira Santa, no Natal e em 1º de maio. No Carnaval abrimos até as 14h.',
      perguntas: ['carnaval abre?', 'sexta feira santa funciona', 'dia do trabalho vai abrir'],
    },
    {
      titulo: 'Compra pelo WhatsApp',
      texto: 'Mande a lista até as 17h com marca e quantidade. Nossa equipe separa e confirma o total antes de cobrar.',
      perguntas: ['posso mandar a lista por aqui', 'como faço compra pelo zap', 'ate que horas mando a lista'],
    },
    {
      titulo: 'Entrega das compras',
      texto: 'A entrega custa R$ 10,00 e é grátis acima de R$ 200,00. Sai em duas rotas, às 11h e às 18h.',
      perguntas: ['entrega é de graça?', 'que horas sai a entrega', 'quanto custa levar em casa'],
    },
    {
      titulo: 'Produto em falta',
      texto:
        'Se um item acabou, perguntamos antes de substituir por outro parecido. Sem resposta, o item sai da compra.',
      perguntas: ['e se nao tiver o produto?', 'vcs substituem item que acabou', 'trocam a marca sem avisar?'],
    },
    {
      titulo: 'Trocas',
      texto:
        'Produto vencido, com defeito ou embalagem violada é trocado com o cupom em até três dias. Perecíveis no mesmo dia.',
      perguntas: ['comprei iogurte vencido', 'veio com embalagem rasgada posso trocar', 'precisa do cupom pra troca'],
    },
    {
      titulo: 'Açougue',
      texto:
        'Cortamos, moemos e temperamos na hora. Encomendas de churrasco para mais de dez pessoas: avise na véspera.',
      perguntas: ['moe carne na hora?', 'encomenda pra churrasco', 'vcs temperam a carne'],
    },
    {
      titulo: 'Peixaria',
      texto: 'Peixe fresco chega às terças e quintas. Limpamos e fazemos filé sem cobrar.',
      perguntas: ['que dia chega peixe', 'fazem filé de peixe', 'limpa o peixe?'],
    },
    {
      titulo: 'Hortifrúti',
      texto: 'Quarta é o dia da feira: frutas e verduras com até 40% de desconto. Orgânicos ficam na última gôndola.',
      perguntas: ['qual dia da feira', 'tem verdura organica', 'fruta em promoçao quando'],
    },
    {
      titulo: 'Padaria do mercado',
      texto: 'Pão quente às 8h e às 17h. Bolos simples e tortas salgadas por encomenda.',
      perguntas: ['que horas tem pao quente', 'fazem torta salgada', 'encomendo bolo simples ai?'],
    },
    {
      titulo: 'Alimentos para dietas',
      texto: 'O corredor 4 tem produtos sem glúten, sem lactose, veganos e para diabéticos.',
      perguntas: ['tem macarrao sem gluten', 'leite sem lactose onde fica', 'produto pra diabetico'],
    },
    {
      titulo: 'Cartões e vales',
      texto: 'Todas as bandeiras, PIX e vales alimentação. O cartão da loja parcela em até duas vezes.',
      perguntas: ['aceita vale alimentacao', 'parcela a compra?', 'passa elo ou master'],
    },
    {
      titulo: 'Cartão da loja',
      texto: 'Faça o cartão Bom Preço com RG, CPF e comprovante de renda. A anuidade é zero e a fatura vence dia 10.',
      perguntas: ['como faço o cartao de vcs', 'tem anuidade?', 'que dia vence a fatura'],
    },
    {
      titulo: 'Clube de ofertas',
      texto: 'Cadastre o celular no caixa para ter os preços do clube. As ofertas mudam toda quinta.',
      perguntas: ['como entro no clube de desconto', 'quando mudam as ofertas', 'cadastro pra promocao'],
    },
    {
      titulo: 'Garagem',
      texto:
        'A garagem coberta tem 40 vagas e é gratuita por duas horas com qualquer compra. Há pontos para carros elétricos.',
      perguntas: ['paga estacionamento?', 'carrega carro eletrico', 'posso deixar o carro qto tempo'],
    },
    {
      titulo: 'Bebidas alcoólicas',
      texto: 'Vendemos cerveja e vinho somente a maiores de 18 anos, com documento. Caixa fechada tem 8% de desconto.',
      perguntas: ['caixa de cerveja tem desconto', 'menor pode comprar vinho', 'precisa de rg pra cerveja?'],
    },
    {
      titulo: 'Recarga e contas',
      texto: 'No caixa rápido você recarrega o celular, o bilhete do ônibus e paga contas de luz e água até as 20h.',
      perguntas: ['paga conta de luz ai', 'recarrega bilhete de onibus', 'fazem recarga de celular?'],
    },
    {
      titulo: 'Gás e água',
      texto: 'Botijão de gás por R$ 115,00 e galão de água de 20 litros por R$ 14,00, entregues em até uma hora.',
      perguntas: ['quanto ta o gás', 'galao de agua vcs entregam', 'botijão chega em quanto tempo'],
    },
    {
      titulo: 'Achados e perdidos',
      texto: 'Objetos esquecidos ficam 30 dias no balcão de atendimento, perto da saída.',
      perguntas: ['esqueci minha bolsa ai', 'perdi a chave no mercado', 'onde fica achados e perdidos'],
    },
    {
      titulo: 'Acessibilidade',
      texto: 'Temos carrinhos motorizados, caixas preferenciais e uma pessoa que ajuda nas compras. Peça na entrada.',
      perguntas: ['tem carrinho pra cadeirante', 'alguem ajuda idoso a comprar?', 'tem caixa preferencial'],
    },
  ],
}
