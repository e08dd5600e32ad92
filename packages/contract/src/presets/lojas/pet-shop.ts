import { entregaEm, type ExemploLoja, grupo, produto } from './exemplo-loja.ts'

const RACAO = 'Ração'
const HIGIENE = 'Higiene'
const BRINQUEDOS = 'Brinquedos'
const PASSEIO = 'Passeio'

export const PET_SHOP: ExemploLoja = {
  id: 'pet-shop',
  nome: 'Pet shop',
  resumo: 'Ração por peso, higiene, brinquedos e passeio.',
  entrega: entregaEm(
    [
      ['Centro', 700],
      ['Jardim das Flores', 900],
      ['Lagoa', 1_200],
    ],
    { minimoCentavos: 4_000, gratisAcimaCentavos: 15_000 },
  ),
  produtos: [
    produto(RACAO, 'Ração para cães adultos', 39.9, 'Frango e arroz, para todas as raças.', {
      sinonimos: ['ração de cachorro', 'ração para cachorro'],
      grupos: [grupo('Pacote', { minimo: 1, maximo: 1 }, ['1 kg', ['3 kg', 6_000], ['15 kg', 19_000]])],
    }),
    produto(RACAO, 'Ração para gatos castrados', 44.9, 'Salmão, com controle de peso.', {
      sinonimos: ['ração de gato', 'ração para gato'],
      grupos: [grupo('Pacote', { minimo: 1, maximo: 1 }, ['1 kg', ['3 kg', 7_000], ['10 kg', 17_000]])],
    }),
    produto(RACAO, 'Sachê para gatos', 4.5, 'Alimento úmido, 85 g.', {
      sinonimos: ['sachê'],
      grupos: [grupo('Sabor', { minimo: 1, maximo: 1 }, ['Carne', 'Frango', 'Peixe'])],
    }),
    produto(HIGIENE, 'Tapete higiênico', 59.9, 'Pacote com 30 unidades.', { sinonimos: ['tapetinho'] }),
    produto(HIGIENE, 'Areia para gatos', 24.9, 'Grãos finos, 4 kg.', { sinonimos: ['areia', 'granulado'] }),
    produto(HIGIENE, 'Xampu neutro', 29.9, 'Para cães e gatos, 500 ml.', { sinonimos: ['shampoo'] }),
    produto(BRINQUEDOS, 'Bolinha de borracha', 12.9, 'Resistente, para cães médios.', {
      sinonimos: ['bolinha', 'bola'],
    }),
    produto(BRINQUEDOS, 'Ratinho de corda', 15.9, 'Para gatos.', { sinonimos: ['ratinho'] }),
    produto(PASSEIO, 'Coleira com guia', 49.9, 'Nylon, com fecho de metal.', {
      sinonimos: ['coleira'],
      grupos: [grupo('Tamanho', { minimo: 1, maximo: 1 }, ['Pequena', ['Média', 500], ['Grande', 1_000]])],
    }),
  ],
}
