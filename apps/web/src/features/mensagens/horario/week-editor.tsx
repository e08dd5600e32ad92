import type { Dia } from '@balcao/contract/constants'
import type { Horario } from '@balcao/contract/entities/config'
import { Copy } from 'lucide-react'
import { notify } from '#shared/avisos.ts'
import { Menu } from '#shared/ui/menu.tsx'
import { DayHours } from './day-hours.tsx'
import { copyDay, COPY_TARGETS, setDay, DAY_NAME, WEEK_DAYS } from './week.ts'

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
