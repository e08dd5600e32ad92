import { describeOpening } from '@balcao/engine/rules/opening'
import { localMinuteAt } from '@balcao/engine/rules/horario'
import { useEffect, useState } from 'react'
import { useUsageStats } from '#shared/data/use-usage-stats.ts'
import { useUsuario } from '#shared/session.tsx'
import { Button } from '#shared/ui/button.tsx'
import { Select } from '#shared/ui/select.tsx'
import { FeriadoList } from './feriados.tsx'
import { zoneOptions } from './time-zones.ts'
import { HorarioView } from './horario-view.tsx'
import { OtherDates } from './other-dates.tsx'
import { WeekEditor, type WeekEditorProps } from './week-editor.tsx'

const HALF_MINUTE_MS = 30_000

function useClock(): number {
  const [agora, setAgora] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setAgora(Date.now()), HALF_MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return agora
}

/** Without this permission the server ignores changes of the horario. */
function useHasAtendimento(): boolean {
  const { tipo } = useUsuario()
  const { data } = useUsageStats()
  return tipo === 'admin' || data === undefined || data.componentesPermitidos.atendimentoHumano
}

function HorarioFields({ horario, hoje, onChange: onMudar }: WeekEditorProps & { hoje: string }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div>
        <h3 className="font-bold">Toda semana</h3>
        <WeekEditor horario={horario} onChange={onMudar} />
      </div>
      <div>
        <FeriadoList horario={horario} hoje={hoje} onChange={onMudar} />
      </div>
      <div>
        <OtherDates horario={horario} hoje={hoje} onChange={onMudar} />
      </div>
      <Select
        label="Fuso horário"
        hint="Vale para o horário de atendimento, para {data} e {hora}, e para a virada do limite diário."
        value={horario.fuso}
        options={zoneOptions(horario.fuso)}
        onChange={(fuso) => onMudar((current) => ({ ...current, fuso }))}
      />
    </div>
  )
}

export interface HorarioCardProps extends WeekEditorProps {
  readonly editing: boolean
  /** Replaces outdated hours in texts. Absent if no text contains any. */
  readonly onReplaceTexts?: (() => void) | undefined
}

export function HorarioCard({ horario, editing, onChange: onMudar, onReplaceTexts }: HorarioCardProps) {
  const agora = useClock()
  const tem = useHasAtendimento()
  const today = localMinuteAt(agora, horario.fuso).data
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div>
        <p className="text-lg">
          Agora: <strong>{describeOpening(horario, agora)}</strong>
        </p>
        <p className="mt-1 text-sm text-muted">
          O bot responde a qualquer hora. Fora do horário, quem pede um atendente recebe a mensagem “Fora do período” e
          fica na fila.
        </p>
      </div>
      {!tem && (
        <p className="rounded-card bg-info-soft p-3 text-sm text-info-ink">
          Sua conta não tem o atendimento por pessoas, por isso o horário não pode ser mudado. Fale com o administrador.
        </p>
      )}
      {editing && onReplaceTexts !== undefined && (
        <div className="flex flex-wrap items-center gap-3 rounded-card bg-warn-soft p-3 text-sm text-warn-ink">
          <p className="min-w-48 flex-1">
            Há textos do menu com outro horário escrito à mão. Com <b>{'{horario}'}</b> eles ficam sempre certos.
          </p>
          <Button size="sm" onClick={onReplaceTexts}>
            Usar {'{horario}'}
          </Button>
        </div>
      )}
      {editing && tem ? (
        <HorarioFields horario={horario} hoje={today} onChange={onMudar} />
      ) : (
        <HorarioView horario={horario} hoje={today} />
      )}
    </div>
  )
}
