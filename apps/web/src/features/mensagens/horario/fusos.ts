const DO_BRASIL: readonly (readonly [string, string])[] = [
  ['America/Sao_Paulo', 'Brasília (DF, Sul, Sudeste, Nordeste, GO, TO, PA e AP)'],
  ['America/Manaus', 'Amazonas (AM, RO e RR)'],
  ['America/Cuiaba', 'Mato Grosso e Mato Grosso do Sul'],
  ['America/Rio_Branco', 'Acre e sudoeste do Amazonas'],
  ['America/Noronha', 'Fernando de Noronha'],
]

/** Options, including the current zone if it is not Brazilian. */
export function fusosPara(atual: string): { valor: string; rotulo: string }[] {
  const opcoes = DO_BRASIL.map(([valor, rotulo]) => ({ valor, rotulo }))
  return opcoes.some(({ valor }) => valor === atual) ? opcoes : [...opcoes, { valor: atual, rotulo: atual }]
}

export const nomeDoFuso = (fuso: string): string => fusosPara(fuso).find(({ valor }) => valor === fuso)?.rotulo ?? fuso
