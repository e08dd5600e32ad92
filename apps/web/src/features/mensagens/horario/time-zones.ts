const BRAZIL_ZONES: readonly (readonly [string, string])[] = [
  ['America/Sao_Paulo', 'Brasília (DF, Sul, Sudeste, Nordeste, GO, TO, PA e AP)'],
  ['America/Manaus', 'Amazonas (AM, RO e RR)'],
  ['America/Cuiaba', 'Mato Grosso e Mato Grosso do Sul'],
  ['America/Rio_Branco', 'Acre e sudoeste do Amazonas'],
  ['America/Noronha', 'Fernando de Noronha'],
]

/** Options, including the current zone if it is not Brazilian. */
export function zoneOptions(current: string): { valor: string; rotulo: string }[] {
  const opcoes = BRAZIL_ZONES.map(([valor, rotulo]) => ({ valor, rotulo }))
  return opcoes.some(({ valor }) => valor === current) ? opcoes : [...opcoes, { valor: current, rotulo: current }]
}

export const zoneName = (zone: string): string => zoneOptions(zone).find(({ valor }) => valor === zone)?.rotulo ?? zone
