interface CachedDay {
  readonly minute: number
  readonly day: string
}

const formats = new Map<string, Intl.DateTimeFormat>()
const cachedDays = new Map<string, CachedDay>()

/**
 * Returns the local day as `AAAA-MM-DD`. Cached per time zone and minute, because the hot path needs it for every
 * message.
 */
export function localDay(now: Date, timeZone: string): string {
  const minuto = Math.floor(now.getTime() / 60_000)
  const lembrado = cachedDays.get(timeZone)
  if (lembrado?.minute === minuto) return lembrado.day
  const formato =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone: timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  formats.set(timeZone, formato)
  const dia = formato.format(now)
  cachedDays.set(timeZone, { minute: minuto, day: dia })
  return dia
}
