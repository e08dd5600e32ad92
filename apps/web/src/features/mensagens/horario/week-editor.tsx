import type { Dia } from '@balcao/contract/constants'
import type { Horario, Intervalo } from '@balcao/contract/entities/config'
import { Copy, Plus, X } from 'lucide-react'
import { notify } from '#shared/avisos.ts'
import { Menu } from '#shared/ui/menu.tsx'
import {
  copyDay,
  COPY_TARGETS,
  setDay,
  DAY_NAME,
  WEEK_DAYS,
  dayHoursError,
  addDayHours,
  passesMidnight,
} from './week.ts'
import { useId } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'

export interface WeekEditorProps {
  readonly horario: Horario
  readonly onChange: (done: (current: Horario) => Horario) => void
}

function CopyDay({ de, onMudar }: { de: Dia; onMudar: WeekEditorProps['onChange'] }) {
  return (
    <Menu
      label={`Copiar o horário de ${DAY_NAME[de].toLowerCase()} para outros dias`}
      className="btn btn-ghost btn-icon -mt-1"
      button={<Copy size={17} aria-hidden />}
      items={COPY_TARGETS.filter(({ dias }) => dias.some((day) => day !== de)).map(({ rotulo, dias }) => ({
        label: rotulo,
        run: () => {
          onMudar((current) => copyDay(current, de, dias))
          notify.info(`Horário copiado: ${rotulo.toLowerCase()}. Salve para valer.`)
        },
      }))}
    />
  )
}

export function WeekEditor({ horario, onChange }: WeekEditorProps) {
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-x-6 sm:grid-cols-2">
      {WEEK_DAYS.map((day) => (
        <li key={day} className="border-b border-line py-3">
          <div className="mb-1.5 flex items-center gap-2">
            <h4 className="mr-auto font-semibold">{DAY_NAME[day]}</h4>
            {horario.dias[day].length === 0 && <span className="text-sm text-muted">Fechado</span>}
            <CopyDay de={day} onMudar={onChange} />
          </div>
          <DayHours
            dayName={DAY_NAME[day]}
            intervalos={horario.dias[day]}
            onChange={(intervals) => onChange((current) => setDay(current, day, intervals))}
          />
        </li>
      ))}
    </ul>
  )
}

interface DayHoursProps {
  readonly dayName: string
  readonly intervalos: readonly Intervalo[]
  readonly onChange: (intervals: readonly Intervalo[]) => void
}

const TIME_CLASS = 'field min-w-0 flex-1 !px-2 tabular-nums'

export function DayHours({ dayName, intervalos, onChange }: DayHoursProps) {
  const id = useId()
  const missing = dayHoursError(intervalos)
  const withOneMore = addDayHours(intervalos)
  const addLabel = intervalos.length === 0 ? 'Abrir neste dia' : 'Mais um período'
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {intervalos.map((interval, index) => (
        <IntervalRow
          // A period has no id: its index is the key.
          key={index}
          of={intervalos.length > 1 ? `, ${index + 1}º período` : ''}
          errorId={missing === undefined ? undefined : id}
          dayName={dayName}
          interval={interval}
          onChange={(fields) =>
            onChange(intervalos.map((other, at) => (at === index ? { ...other, ...fields } : other)))
          }
          onRemove={() => onChange(intervalos.filter((_, at) => at !== index))}
        />
      ))}
      {missing !== undefined && (
        <p id={id} role="alert" className="text-sm font-semibold text-danger-ink">
          {missing}
        </p>
      )}
      {withOneMore !== null && (
        <Button
          variant="ghost"
          size="sm"
          className="-ml-2 justify-self-start"
          aria-label={`${addLabel}: ${dayName}`}
          onClick={() => onChange(withOneMore)}
        >
          <Plus size={16} aria-hidden /> {addLabel}
        </Button>
      )}
    </div>
  )
}

interface IntervalRowProps {
  readonly dayName: string
  readonly of: string
  readonly interval: Intervalo
  readonly errorId: string | undefined
  readonly onChange: (fields: Partial<Intervalo>) => void
  readonly onRemove: () => void
}

function IntervalRow({ dayName, of, interval, errorId, onChange, onRemove }: IntervalRowProps) {
  const link = { 'aria-invalid': errorId !== undefined, 'aria-describedby': errorId }
  return (
    <div className="w-full">
      <div className="flex w-full items-center gap-1.5">
        <input
          {...link}
          type="time"
          className={TIME_CLASS}
          aria-label={`${dayName}: abre às${of}`}
          value={interval.inicio}
          onChange={({ currentTarget }) => onChange({ inicio: currentTarget.value })}
        />
        <span className="text-sm text-muted">às</span>
        <input
          {...link}
          type="time"
          className={TIME_CLASS}
          aria-label={`${dayName}: fecha às${of}`}
          // `<input type="time">` has no 24:00: the end of the day is shown as 00:00.
          value={interval.fim === '24:00' ? '00:00' : interval.fim}
          onChange={({ currentTarget: { value } }) => onChange({ fim: value === '00:00' ? '24:00' : value })}
        />
        <IconButton
          label={`Remover período de ${dayName}${of}`}
          tooltip={false}
          icon={<X size={18} aria-hidden />}
          onClick={onRemove}
        />
      </div>
      {passesMidnight(interval) && (
        <p className="mt-1 text-sm text-muted">Passa da meia-noite: fecha às {interval.fim} do dia seguinte.</p>
      )}
    </div>
  )
}
