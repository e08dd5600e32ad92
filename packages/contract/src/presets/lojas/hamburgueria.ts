import type { Grupo } from '#entities/produto.ts'
import { entregaEm, type ExemploLoja, grupo, produto } from './exemplo-loja.ts'

const BURGERS = 'Hambúrgueres'
const PORCOES = 'Porções'
const BEBIDAS = 'Bebidas'

const ponto = (): Grupo => grupo('Ponto da carne', { minimo: 1, maximo: 1 }, ['Mal passado', 'Ao ponto', 'Bem passado'])

const extras = (): Grupo =>
  grupo('Adicionais', { minimo: 0, maximo: 4 }, [
    ['Bacon', 500],
    ['Cheddar', 400],
    ['Ovo', 300],
    ['Cebola caramelizada', 300],
    ['Hambúrguer extra', 1_000],
  ])

export const HAMBURGUERIA: ExemploLoja = {
  id: 'hamburgueria',
  nome: 'Hamburgueria',
  resumo: 'Ponto da carne, adicionais e porções.',
  entrega: entregaEm(
    [
      ['Centro', 600],
      ['Vila Mariana', 800],
      ['Ipiranga', 1_000],
    ],
    { minimoCentavos: 2_500, gratisAcimaCentavos: 10_000 },
  ),
  produtos: [
    produto(BURGERS, 'X-Burger', 26, 'Pão brioche, carne de 150 g e queijo.', {
      sinonimos: ['cheeseburger', 'xis burger'],
      grupos: [ponto(), extras()],
    }),
    produto(BURGERS, 'X-Salada', 28, 'Carne de 150 g, queijo, alface, tomate e maionese da casa.', {
      sinonimos: ['xis salada'],
      grupos: [ponto(), extras()],
    }),
    produto(BURGERS, 'X-Bacon', 32, 'Carne de 150 g, queijo e bacon crocante.', {
      sinonimos: ['xis bacon'],
      grupos: [ponto(), extras()],
    }),
    produto(BURGERS, 'Veggie', 30, 'Hambúrguer de grão-de-bico, queijo e rúcula.', {
      sinonimos: ['vegetariano'],
      grupos: [extras()],
    }),
    produto(PORCOES, 'Batata frita', 18, 'Porção de 300 g.', {
      sinonimos: ['fritas', 'batata'],
    }),
    produto(PORCOES, 'Anéis de cebola', 20, 'Doze unidades, com molho barbecue.', { sinonimos: ['onion rings'] }),
    produto(BEBIDAS, 'Refrigerante em lata', 7, '350 ml.', {
      sinonimos: ['refri', 'lata'],
      grupos: [grupo('Refrigerante', { minimo: 1, maximo: 1 }, ['Coca-Cola', 'Coca-Cola zero', 'Guaraná', 'Soda'])],
    }),
    produto(BEBIDAS, 'Milk-shake', 19, '400 ml.', {
      sinonimos: ['milkshake', 'shake'],
      grupos: [grupo('Sabor', { minimo: 1, maximo: 1 }, ['Chocolate', 'Morango', 'Baunilha'])],
    }),
  ],
}
