import type { Grupo } from '#entities/produto.ts'
import { entregaEm, type ExemploLoja, grupo, produto } from './exemplo-loja.ts'

const PIZZAS = 'Pizzas'
const DOCES = 'Pizzas doces'
const BEBIDAS = 'Bebidas'

/** Two halves cost as much as the dearer one. */
const sabores = (): Grupo =>
  grupo('Sabores', { minimo: 1, maximo: 2, preco: 'maior' }, [
    'Muçarela',
    'Marguerita',
    ['Calabresa', 200],
    ['Portuguesa', 600],
    ['Frango com catupiry', 600],
    ['Quatro queijos', 900],
    ['Camarão', 2_500],
  ])

const borda = (): Grupo =>
  grupo('Borda', { minimo: 0, maximo: 1 }, [
    ['Borda de catupiry', 900],
    ['Borda de cheddar', 900],
    ['Borda de chocolate', 1_100],
  ])

export const PIZZARIA: ExemploLoja = {
  id: 'pizzaria',
  nome: 'Pizzaria',
  resumo: 'Dois tamanhos, meio a meio e bordas.',
  entrega: entregaEm(
    [
      ['Centro', 600],
      ['Boa Vista', 800],
      ['Santa Mônica', 1_000],
    ],
    { minimoCentavos: 3_000, gratisAcimaCentavos: 12_000 },
  ),
  produtos: [
    produto(PIZZAS, 'Pizza grande', 49.9, 'Oito fatias. Escolha um sabor, ou dois no meio a meio.', {
      sinonimos: ['pizza família'],
      grupos: [sabores(), borda()],
    }),
    produto(PIZZAS, 'Pizza broto', 32.9, 'Quatro fatias. Escolha um sabor, ou dois no meio a meio.', {
      sinonimos: ['pizza pequena', 'brotinho'],
      grupos: [sabores(), borda()],
    }),
    produto(DOCES, 'Pizza de chocolate', 44.9, 'Chocolate ao leite com morango. Quatro fatias.'),
    produto(DOCES, 'Pizza de banana', 39.9, 'Banana, açúcar e canela. Quatro fatias.'),
    produto(BEBIDAS, 'Guaraná 2 litros', 13, 'Gelado.', { sinonimos: ['guaraná'] }),
    produto(BEBIDAS, 'Coca-Cola 2 litros', 15, 'Gelada.', { sinonimos: ['coca', 'coca cola'] }),
    produto(BEBIDAS, 'Água mineral', 5, '500 ml, com ou sem gás.', {
      sinonimos: ['água'],
      grupos: [grupo('Gás', { minimo: 1, maximo: 1 }, ['Com gás', 'Sem gás'])],
    }),
  ],
}
