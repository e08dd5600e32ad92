import type { Intervalo } from '@balcao/contract/entities/config'
import { Plus, X } from 'lucide-react'
import { useId } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { dayHoursError, addDayHours, passesMidnight } from './week.ts'

export interface DayHoursProps {
  readonly dayName: string
  readonly intervalos: readonly Intervalo[]
  readonly onChange: (intervals: readonly Intervalo[]) => void
}

const TIME_CLASS = 'field min-w-0 flex-1 !px-2 tabular-nums'

export function DayHours({ dayName, intervalos, onChange: onMudar }: DayHoursProps) {
  const id = useId()
  const missing = dayHoursError(intervalos)
  const maisUm = addDayHours(intervalos)
  const maisRotulo = intervalos.length === 0 ? 'Abrir neste dia' : 'Mais um período'
  const change = (qual: number, fields: Partial<Intervalo>): void =>
    onMudar(intervalos.map((interval, index) => (index === qual ? { ...interval, ...fields } : interval)))
  const link = { 'aria-invalid': missing !== undefined, 'aria-describedby': missing === undefined ? undefined : id }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {intervalos.map((interval, index) => {
        const qual = intervalos.length > 1 ? `, ${index + 1}º período` : ''
        return (
          // A period has no id: its index is the key.
          <div key={index} className="w-full">
            <div className="flex w-full items-center gap-1.5">
              <input
                {...link}
                type="time"
                className={TIME_CLASS}
                aria-label={`${dayName}: abre às${qual}`}
                value={interval.inicio}
                onChange={({ currentTarget }) => change(index, { inicio: currentTarget.value })}
              />
              <span className="text-sm text-muted">às</span>
              <input
                {...link}
                type="time"
                className={TIME_CLASS}
                aria-label={`${dayName}: fecha às${qual}`}
                // `<input type="time">` has no 24:00: the end of the day is shown as 00:00.
                value={interval.fim === '24:00' ? '00:00' : interval.fim}
                onChange={({ currentTarget: { value } }) => change(index, { fim: value === '00:00' ? '24:00' : value })}
              />
              <IconButton
                label={`Remover período de ${dayName}${qual}`}
                tooltip={false}
                icon={<X size={18} aria-hidden />}
                onClick={() => onMudar(intervalos.filter((_, other) => other !== index))}
              />
            </div>
            {passesMidnight(interval) && (
              <p className="mt-1 text-sm text-muted">Passa da meia-noite: fecha às {interval.fim} do dia seguinte.</p>
            )}
          </div>
        )
      })}
      {missing !== undefined && (
        <p id={id} role="alert" className="text-sm font-semibold text-danger-ink">
          {missing}
        </p>
      )}
      {maisUm !== null && (
        <Button
          variant="ghost"
          size="sm"
          className="-ml-2 justify-self-start"
          aria-label={`${maisRotulo}: ${dayName}`}
          onClick={() => onMudar(maisUm)}
        >
          <Plus size={16} aria-hidden /> {maisRotulo}
        </Button>
      )}
    </div>
  )
}
