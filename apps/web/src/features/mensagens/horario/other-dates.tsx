import type { Intervalo } from '@balcao/contract/entities/config'
import { CalendarPlus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { addDates, formatDates, ownDates, datesError, type DateError, type NewDates, removeDates } from './dates.ts'
import { DayHours, type WeekEditorProps } from './week-editor.tsx'
import { dayHoursError, formatDayHours } from './week.ts'

const EMPTY_DATES: NewDates = { de: '', ate: '', nome: '', intervalos: [] }
const HALF_DAY: readonly Intervalo[] = [{ inicio: '08:00', fim: '12:00' }]

function DatesForm({ horario, today, onChange: onMudar }: WeekEditorProps & { today: string }) {
  const [fresh, setNova] = useState(EMPTY_DATES)
  const [missing, setFalta] = useState<DateError | null>(null)
  const change = (fields: Partial<NewDates>): void => {
    setNova((current) => ({ ...current, ...fields }))
    setFalta(null)
  }
  const add = (): void => {
    const found = datesError(fresh, horario, today)
    setFalta(found)
    if (found !== null) return document.getElementsByName(`data-${found.field}`)[0]?.focus()
    if (dayHoursError(fresh.intervalos) !== undefined) return
    onMudar((current) => addDates(current, fresh, today))
    setNova(EMPTY_DATES)
  }
  return (
    <fieldset className="mt-3 grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3 rounded-card bg-sunken p-3 sm:p-4">
      <legend className="sr-only">Nova data</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label="Dia"
          type="date"
          name="data-de"
          min={today}
          value={fresh.de}
          error={missing?.field === 'de' ? missing.message : undefined}
          onChange={({ currentTarget }) => change({ de: currentTarget.value })}
        />
        <TextField
          label="Até (se forem vários)"
          type="date"
          name="data-ate"
          min={fresh.de === '' ? today : fresh.de}
          value={fresh.ate}
          error={missing?.field === 'ate' ? missing.message : undefined}
          onChange={({ currentTarget }) => change({ ate: currentTarget.value })}
        />
      </div>
      <TextField
        label="Motivo"
        placeholder="Férias coletivas, aniversário da cidade…"
        maxLength={80}
        value={fresh.nome}
        onChange={({ currentTarget }) => change({ nome: currentTarget.value })}
      />
      <Switch
        label="Fechado o dia todo"
        hint="Desligue para abrir em outro horário, como na véspera de Natal."
        on={fresh.intervalos.length === 0}
        onChange={(closed) => change({ intervalos: closed ? [] : HALF_DAY })}
      />
      {fresh.intervalos.length > 0 && (
        <DayHours dayName="Nova data" intervalos={fresh.intervalos} onChange={(intervalos) => change({ intervalos })} />
      )}
      <Button className="min-h-11 justify-self-start" onClick={add}>
        <CalendarPlus size={17} aria-hidden /> Adicionar data
      </Button>
    </fieldset>
  )
}

export function OtherDates({ horario, today, onChange: onMudar }: WeekEditorProps & { today: string }) {
  const temporadas = ownDates(horario, today)
  return (
    <>
      <h3 className="font-bold">Outras datas</h3>
      <p className="mt-1 text-sm text-muted">
        Feriado da cidade, férias, inventário: dias em que a casa fecha ou abre em outro horário.
      </p>
      {temporadas.length > 0 && (
        <ul className="mt-2">
          {temporadas.map(({ datas, nome, intervalos }) => {
            const words = formatDates(datas)
            return (
              <li key={datas[0]} className="flex items-center gap-3 border-b border-line py-2">
                <div className="mr-auto min-w-0">
                  <p className="font-semibold break-words">{nome === '' ? 'Sem motivo' : nome}</p>
                  <p className="text-sm text-muted">
                    {words} · {formatDayHours(intervalos).toLowerCase()}
                  </p>
                </div>
                <IconButton
                  label={`Remover ${nome === '' ? words : nome}`}
                  tooltip={false}
                  icon={<Trash2 size={17} aria-hidden />}
                  onClick={() => onMudar((current) => removeDates(current, datas))}
                />
              </li>
            )
          })}
        </ul>
      )}
      <DatesForm horario={horario} today={today} onChange={onMudar} />
    </>
  )
}
