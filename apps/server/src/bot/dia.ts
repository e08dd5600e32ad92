interface Lembrado {
  readonly minuto: number
  readonly dia: string
}

const formatos = new Map<string, Intl.DateTimeFormat>()
const lembrados = new Map<string, Lembrado>()

/**
 * Returns the local day as `AAAA-MM-DD`. Cached per time zone and minute, because the hot path needs it for every
 * message.
 */
export function diaLocal(agora: Date, fuso: string): string {
  const minuto = Math.floor(agora.getTime() / 60_000)
  const lembrado = lembrados.get(fuso)
  if (lembrado?.minuto === minuto) return lembrado.dia
  const formato =
    formatos.get(fuso) ??
    new Intl.DateTimeFormat('en-CA', { timeZone: fuso, year: 'numeric', month: '2-digit', day: '2-digit' })
  formatos.set(fuso, formato)
  const dia = formato.format(agora)
  lembrados.set(fuso, { minuto, dia })
  return dia
}
