import { type SubmitEvent, useId, useState } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { conferirPeriodo, type Periodo, PREDEFINIDOS, type Predefinido } from './periodo.ts'

export type Escolha = Predefinido | 'datas'

const ROTULO: Readonly<Record<Escolha, string>> = {
  hoje: 'Hoje',
  '7dias': '7 dias',
  '30dias': '30 dias',
  mes: 'Este mês',
  datas: 'Escolher datas',
}
const ESCOLHAS: readonly Escolha[] = [...PREDEFINIDOS, 'datas']

export interface EscolhaDoPeriodoProps {
  readonly hoje: string
  readonly periodo: Periodo
  readonly escolha: Escolha
  readonly onEscolher: (escolha: Escolha) => void
  readonly onDatas: (periodo: Periodo) => void
}

export function EscolhaDoPeriodo({ hoje, periodo, escolha, onEscolher, onDatas }: EscolhaDoPeriodoProps) {
  const nome = useId()
  return (
    <div className="grid min-w-0 gap-3">
      <fieldset className="min-w-0">
        <legend className="sr-only">Período</legend>
        <div className="flex flex-wrap gap-1.5">
          {ESCOLHAS.map((uma) => (
            <label
              key={uma}
              className="inline-flex min-h-10 items-center rounded-full border border-line-strong bg-surface px-4 text-sm font-semibold has-checked:border-brand has-checked:bg-brand-soft has-checked:text-brand-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand-ink"
            >
              <input
                type="radio"
                name={nome}
                className="sr-only"
                checked={uma === escolha}
                onChange={() => onEscolher(uma)}
              />
              {ROTULO[uma]}
            </label>
          ))}
        </div>
      </fieldset>
      {escolha === 'datas' && <Datas hoje={hoje} periodo={periodo} onVer={onDatas} />}
    </div>
  )
}

function Datas({ hoje, periodo, onVer }: { hoje: string; periodo: Periodo; onVer: (periodo: Periodo) => void }) {
  const [datas, setDatas] = useState(periodo)
  const [erros, setErros] = useState<ReturnType<typeof conferirPeriodo>>({})
  const ver = (evento: SubmitEvent<HTMLFormElement>): void => {
    evento.preventDefault()
    const faltas = conferirPeriodo(datas)
    setErros(faltas)
    if (faltas.de === undefined && faltas.ate === undefined) onVer(datas)
    else evento.currentTarget.querySelector<HTMLElement>(`[name=${faltas.de === undefined ? 'ate' : 'de'}]`)?.focus()
  }
  const campo = (nome: 'de' | 'ate') => ({
    name: nome,
    type: 'date',
    max: hoje,
    value: datas[nome],
    erro: erros[nome],
    className: 'min-h-11',
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setDatas({ ...datas, [nome]: currentTarget.value }),
  })
  return (
    <form noValidate onSubmit={ver} className="grid grid-cols-2 items-start gap-3 sm:flex">
      <TextField rotulo="De" {...campo('de')} />
      <TextField rotulo="Até" {...campo('ate')} />
      <Button type="submit" className="min-h-11 max-sm:col-span-2 sm:mt-[1.6rem]">
        Ver período
      </Button>
    </form>
  )
}
