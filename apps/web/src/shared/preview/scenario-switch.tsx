import { useId } from 'react'
import type { Scenario } from './scenario.ts'

const SCENARIOS: readonly { valor: Scenario; rotulo: string }[] = [
  { valor: 'dentro', rotulo: 'Dentro do horário' },
  { valor: 'fora', rotulo: 'Fora do horário' },
]

export function ScenarioSwitch({ valor, onMudar }: { valor: Scenario; onMudar: (scenario: Scenario) => void }) {
  const nome = useId()
  return (
    <fieldset className="mb-3 flex rounded-xl border border-line bg-sunken p-1 text-[0.85rem] font-semibold">
      <legend className="sr-only">Cenário da simulação</legend>
      {SCENARIOS.map((scenario) => (
        <label
          key={scenario.valor}
          className="relative grid min-h-8 flex-1 cursor-pointer place-items-center rounded-lg px-2 text-center text-muted has-checked:bg-surface has-checked:text-ink has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-brand-ink"
        >
          <input
            type="radio"
            name={nome}
            className="absolute inset-0 cursor-pointer appearance-none"
            checked={valor === scenario.valor}
            onChange={() => onMudar(scenario.valor)}
          />
          {scenario.rotulo}
        </label>
      ))}
    </fieldset>
  )
}
