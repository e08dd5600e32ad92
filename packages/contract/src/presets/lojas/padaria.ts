import { entregaEm, type ExemploLoja, grupo, produto } from './exemplo-loja.ts'

const SALGADOS = 'Salgados'
const PAES = 'Pães'
const BOLOS = 'Bolos e tortas'
const BEBIDAS = 'Bebidas'

export const PADARIA: ExemploLoja = {
  id: 'padaria',
  nome: 'Padaria',
  resumo: 'Pães, salgados, bolos e café.',
  entrega: entregaEm(
    [
      ['Centro', 500],
      ['Jardim América', 700],
      ['Vila Nova', 900],
    ],
    { minimoCentavos: 1_500, gratisAcimaCentavos: 8_000 },
  ),
  produtos: [
    produto(PAES, 'Pão francês', 0.9, 'Sai do forno a cada hora. O preço é por unidade.', {
      sinonimos: ['pãozinho', 'pão de sal', 'cacetinho'],
    }),
    produto(PAES, 'Pão de queijo', 4.5, 'Com queijo da Canastra, assado na hora.'),
    produto(SALGADOS, 'Coxinha', 7, 'Massa de batata e frango desfiado.', {
      grupos: [grupo('Recheio', { minimo: 1, maximo: 1 }, ['Frango', ['Frango com catupiry', 100]])],
    }),
    produto(SALGADOS, 'Empada de palmito', 8, 'Massa que derrete na boca.', { sinonimos: ['empadinha'] }),
    produto(SALGADOS, 'Misto quente', 12, 'Pão na chapa, presunto e queijo.', { sinonimos: ['misto'] }),
    produto(BOLOS, 'Bolo de fubá', 32, 'Cremoso, serve 12 pedaços.'),
    produto(BOLOS, 'Bolo de cenoura', 36, 'Com cobertura de chocolate, serve 12 pedaços.'),
    produto(BOLOS, 'Torta de limão', 14, 'Fatia com merengue.'),
    produto(BEBIDAS, 'Café coado', 6, 'Torra média, 200 ml.', { sinonimos: ['cafezinho'] }),
    produto(BEBIDAS, 'Suco de laranja', 10, 'Espremido na hora, 400 ml.', { sinonimos: ['suco'] }),
  ],
}
