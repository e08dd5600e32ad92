import { descreverAgora } from '@balcao/engine/rules/abre-e-fecha'
import { localDe } from '@balcao/engine/rules/horario'
import { useEffect, useState } from 'react'
import { useEstatisticas } from '#shared/dados/estatisticas.ts'
import { useUsuario } from '#shared/session.tsx'
import { Button } from '#shared/ui/button.tsx'
import { Select } from '#shared/ui/select.tsx'
import { Feriados } from './feriados.tsx'
import { fusosPara } from './fusos.ts'
import { HorarioLido } from './horario-lido.tsx'
import { OutrasDatas } from './outras-datas.tsx'
import { SemanaEmEdicao, type SemanaProps } from './semana-em-edicao.tsx'

const MEIO_MINUTO_MS = 30_000

function useAgora(): number {
  const [agora, setAgora] = useState(() => Date.now())
  useEffect(() => {
    const relogio = setInterval(() => setAgora(Date.now()), MEIO_MINUTO_MS)
    return () => clearInterval(relogio)
  }, [])
  return agora
}

/** Without this permission the server ignores changes of the horario. */
function useTemAtendimento(): boolean {
  const { tipo } = useUsuario()
  const { data } = useEstatisticas()
  return tipo === 'admin' || data === undefined || data.componentesPermitidos.atendimentoHumano
}

function Edicao({ horario, hoje, onMudar }: SemanaProps & { hoje: string }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div>
        <h3 className="font-bold">Toda semana</h3>
        <SemanaEmEdicao horario={horario} onMudar={onMudar} />
      </div>
      <div>
        <Feriados horario={horario} hoje={hoje} onMudar={onMudar} />
      </div>
      <div>
        <OutrasDatas horario={horario} hoje={hoje} onMudar={onMudar} />
      </div>
      <Select
        rotulo="Fuso horário"
        dica="Vale para o horário de atendimento, para {data} e {hora}, e para a virada do limite diário."
        value={horario.fuso}
        opcoes={fusosPara(horario.fuso)}
        onChange={(fuso) => onMudar((atual) => ({ ...atual, fuso }))}
      />
    </div>
  )
}

export interface HorarioDeAtendimentoProps extends SemanaProps {
  readonly editando: boolean
  /** Replaces outdated hours in texts. Absent if no text contains any. */
  readonly onTrocarTextos?: (() => void) | undefined
}

export function HorarioDeAtendimento({ horario, editando, onMudar, onTrocarTextos }: HorarioDeAtendimentoProps) {
  const agora = useAgora()
  const tem = useTemAtendimento()
  const hoje = localDe(agora, horario.fuso).data
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div>
        <p className="text-lg">
          Agora: <strong>{descreverAgora(horario, agora)}</strong>
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
      {editando && onTrocarTextos !== undefined && (
        <div className="flex flex-wrap items-center gap-3 rounded-card bg-warn-soft p-3 text-sm text-warn-ink">
          <p className="min-w-48 flex-1">
            Há textos do menu com outro horário escrito à mão. Com <b>{'{horario}'}</b> eles ficam sempre certos.
          </p>
          <Button tamanho="sm" onClick={onTrocarTextos}>
            Usar {'{horario}'}
          </Button>
        </div>
      )}
      {editando && tem ? (
        <Edicao horario={horario} hoje={hoje} onMudar={onMudar} />
      ) : (
        <HorarioLido horario={horario} hoje={hoje} />
      )}
    </div>
  )
}
