import type { Horario } from '@balcao/contract/entities/config'
import { formatDates } from './dates.ts'
import { zoneName } from './time-zones.ts'
import { DAY_NAME, formatDayHours, WEEK_DAYS } from './week.ts'

const NEXT_DATES_MAX = 4

export function HorarioView({ horario, today }: { horario: Horario; today: string }) {
  const upcoming = horario.excecoes.filter(({ data }) => data >= today).toSorted((a, b) => (a.data < b.data ? -1 : 1))
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <div>
        <h3 className="font-bold">Toda semana</h3>
        <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 text-sm">
          {WEEK_DAYS.map((day) => (
            <div key={day} className="contents">
              <dt className="py-1 text-muted">{DAY_NAME[day]}</dt>
              <dd className="py-1 font-semibold tabular-nums">{formatDayHours(horario.dias[day])}</dd>
            </div>
          ))}
        </dl>
      </div>
      <div>
        <h3 className="font-bold">Próximas datas</h3>
        {upcoming.length === 0 && <p className="mt-2 text-sm text-muted">Nenhum feriado e nenhuma data marcada.</p>}
        <ul className="mt-1 text-sm">
          {upcoming.slice(0, NEXT_DATES_MAX).map(({ data, nome, intervalos }) => (
            <li key={data} className="py-1">
              <span className="font-semibold">{nome === '' ? 'Data marcada' : nome}</span>
              <span className="block text-muted">
                {formatDates([data])} · {formatDayHours(intervalos).toLowerCase()}
              </span>
            </li>
          ))}
        </ul>
        {upcoming.length > NEXT_DATES_MAX && (
          <p className="py-1 text-sm text-muted">e mais {upcoming.length - NEXT_DATES_MAX}</p>
        )}
        <p className="mt-2 text-sm text-muted">Hora de {zoneName(horario.fuso)}.</p>
      </div>
    </div>
  )
}
