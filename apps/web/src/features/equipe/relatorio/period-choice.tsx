import { type SubmitEvent, useId, useState } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { checkPeriod, type Period, PERIOD_PRESETS, type PeriodPreset } from './period.ts'

export type PeriodChoice = PeriodPreset | 'datas'

const PERIOD_LABEL: Readonly<Record<PeriodChoice, string>> = {
  hoje: 'Hoje',
  '7dias': '7 dias',
  '30dias': '30 dias',
  mes: 'Este mês',
  datas: 'Escolher datas',
}
const PERIOD_CHOICES: readonly PeriodChoice[] = [...PERIOD_PRESETS, 'datas']

export interface PeriodPickerProps {
  readonly today: string
  readonly periodo: Period
  readonly choice: PeriodChoice
  readonly onChoose: (escolha: PeriodChoice) => void
  readonly onDates: (period: Period) => void
}

export function PeriodPicker({ today, periodo, choice, onChoose, onDates }: PeriodPickerProps) {
  const nome = useId()
  return (
    <div className="grid min-w-0 gap-3">
      <fieldset className="min-w-0">
        <legend className="sr-only">Período</legend>
        <div className="flex flex-wrap gap-1.5">
          {PERIOD_CHOICES.map((uma) => (
            <label
              key={uma}
              className="inline-flex min-h-10 items-center rounded-full border border-line-strong bg-surface px-4 text-sm font-semibold has-checked:border-brand has-checked:bg-brand-soft has-checked:text-brand-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand-ink"
            >
              <input
                type="radio"
                name={nome}
                className="sr-only"
                checked={uma === choice}
                onChange={() => onChoose(uma)}
              />
              {PERIOD_LABEL[uma]}
            </label>
          ))}
        </div>
      </fieldset>
      {choice === 'datas' && <DateFields hoje={today} periodo={periodo} onVer={onDates} />}
    </div>
  )
}

function DateFields({ hoje, periodo, onVer }: { hoje: string; periodo: Period; onVer: (period: Period) => void }) {
  const [dates, setDatas] = useState(periodo)
  const [errors, setErros] = useState<ReturnType<typeof checkPeriod>>({})
  const see = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const missing = checkPeriod(dates)
    setErros(missing)
    if (missing.de === undefined && missing.ate === undefined) onVer(dates)
    else event.currentTarget.querySelector<HTMLElement>(`[name=${missing.de === undefined ? 'ate' : 'de'}]`)?.focus()
  }
  const field = (nome: 'de' | 'ate') => ({
    name: nome,
    type: 'date',
    max: hoje,
    value: dates[nome],
    error: errors[nome],
    className: 'min-h-11',
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setDatas({ ...dates, [nome]: currentTarget.value }),
  })
  return (
    <form noValidate onSubmit={see} className="grid grid-cols-2 items-start gap-3 sm:flex">
      <TextField label="De" {...field('de')} />
      <TextField label="Até" {...field('ate')} />
      <Button type="submit" className="min-h-11 max-sm:col-span-2 sm:mt-[1.6rem]">
        Ver período
      </Button>
    </form>
  )
}
