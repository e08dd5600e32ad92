import { entregaEm, type ExemploLoja, grupo, produto } from './exemplo-loja.ts'

const MERCEARIA = 'Mercearia'
const FRIOS = 'Frios e laticínios'
const HORTIFRUTI = 'Hortifrúti'
const LIMPEZA = 'Limpeza'
const BEBIDAS = 'Bebidas'

export const MERCADO: ExemploLoja = {
  id: 'mercado',
  nome: 'Mercado',
  resumo: 'Mercearia, hortifrúti, frios, limpeza e bebidas.',
  entrega: entregaEm(
    [
      ['Centro', 800],
      ['São José', 1_000],
      ['Bela Vista', 1_200],
    ],
    { minimoCentavos: 5_000, gratisAcimaCentavos: 20_000 },
  ),
  produtos: [
    produto(MERCEARIA, 'Arroz branco 5 kg', 28.9, 'Tipo 1.', { sinonimos: ['arroz', 'pacote de arroz'] }),
    produto(MERCEARIA, 'Feijão carioca 1 kg', 8.9, 'Tipo 1.', { sinonimos: ['feijão'] }),
    produto(MERCEARIA, 'Café torrado 500 g', 21.9, 'Moído, torra média.', { sinonimos: ['café', 'pó de café'] }),
    produto(MERCEARIA, 'Óleo de soja 900 ml', 7.9, 'Garrafa.', { sinonimos: ['óleo'] }),
    produto(MERCEARIA, 'Açúcar 1 kg', 4.9, 'Refinado.', { sinonimos: ['açúcar'] }),
    produto(FRIOS, 'Leite integral 1 litro', 5.9, 'Caixa.', { sinonimos: ['leite', 'caixa de leite'] }),
    produto(FRIOS, 'Queijo muçarela 200 g', 13.9, 'Fatiado na hora.', { sinonimos: ['muçarela', 'queijo'] }),
    produto(FRIOS, 'Presunto 200 g', 9.9, 'Fatiado na hora.', {
      grupos: [grupo('Fatia', { minimo: 1, maximo: 1 }, ['Fina', 'Grossa'])],
    }),
    produto(HORTIFRUTI, 'Banana prata', 6.9, 'Dúzia.', { sinonimos: ['banana'] }),
    produto(HORTIFRUTI, 'Tomate', 9.9, 'Bandeja de 1 kg.'),
    produto(LIMPEZA, 'Detergente', 2.9, 'Neutro, 500 ml.'),
    produto(LIMPEZA, 'Sabão em pó 1,6 kg', 24.9, 'Lavagem perfeita.', { sinonimos: ['sabão em pó', 'sabão'] }),
    produto(BEBIDAS, 'Água mineral 1,5 litro', 4.5, 'Sem gás.', { sinonimos: ['água'] }),
    produto(BEBIDAS, 'Cerveja lata', 4.9, '350 ml, gelada. Venda só para maiores de 18 anos.', {
      sinonimos: ['cerveja', 'latinha'],
    }),
  ],
}
