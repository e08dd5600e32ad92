import { Button } from '#shared/ui/button.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { formatDates, exceptionOn, upcomingFeriados, markFeriados } from './dates.ts'
import { formatDayHours } from './week.ts'
import type { WeekEditorProps } from './week-editor.tsx'

export function FeriadoList({ horario, hoje, onChange }: WeekEditorProps & { hoje: string }) {
  const feriados = upcomingFeriados(hoje)
  const open = feriados.filter(({ data }) => exceptionOn(horario, data) === undefined)
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h3 className="mr-auto font-bold">Feriados nacionais</h3>
        {open.length > 0 && (
          <Button variant="ghost" size="sm" onClick={() => onChange((current) => markFeriados(current, open, true))}>
            Fechar em todos
          </Button>
        )}
      </div>
      <p className="mt-1 text-sm text-muted">Os próximos doze meses. Ligado, a casa não abre nesse dia.</p>
      <ul className="mt-2 grid grid-cols-[minmax(0,1fr)] gap-x-6 sm:grid-cols-2">
        {feriados.map((feriado) => {
          const excecao = exceptionOn(horario, feriado.data)
          const especial = excecao !== undefined && excecao.intervalos.length > 0
          return (
            <li key={feriado.data} className="border-b border-line py-2">
              <Switch
                label={feriado.nome}
                hint={`${formatDates([feriado.data])}${especial ? ` · abre ${formatDayHours(excecao.intervalos)}` : ''}`}
                on={excecao !== undefined && !especial}
                onChange={(closed) => onChange((current) => markFeriados(current, [feriado], closed))}
              />
            </li>
          )
        })}
      </ul>
    </>
  )
}
