import { CORES_SETOR, type CorSetor } from '@balcao/contract/constants'
import { useId } from 'react'
import { SetorDot } from './setor-chip.tsx'

const COLOR_NAME: Readonly<Record<CorSetor, string>> = {
  blue: 'Azul',
  green: 'Verde',
  yellow: 'Amarelo',
  red: 'Vermelho',
  purple: 'Roxo',
  pink: 'Rosa',
  indigo: 'Índigo',
  orange: 'Laranja',
  gray: 'Cinza',
}

interface ColorChoiceProps {
  readonly label: string
  readonly cor: CorSetor
  readonly onChange: (cor: CorSetor) => void
}

export function ColorChoice({ label, cor, onChange }: ColorChoiceProps) {
  const name = useId()
  return (
    <fieldset>
      <legend className="sr-only">{label}</legend>
      <div className="flex flex-wrap">
        {CORES_SETOR.map((option) => (
          <label
            key={option}
            className="grid size-8 place-items-center pointer-coarse:size-11"
            title={COLOR_NAME[option]}
          >
            <input
              type="radio"
              name={name}
              className="peer sr-only"
              checked={option === cor}
              onChange={() => onChange(option)}
            />
            <span className="rounded-full border-2 border-transparent p-0.5 peer-checked:border-ink peer-focus-visible:outline-2">
              <SetorDot cor={option} className="block size-5" />
            </span>
            <span className="sr-only">{COLOR_NAME[option]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
