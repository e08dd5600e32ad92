import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { AlarmClock, ArrowLeftRight, CircleCheck, type LucideIcon, MessageSquareText, Tag } from 'lucide-react'
import clsx from 'clsx'
import { lazy, Suspense, useState } from 'react'
import { useNow } from '#features/atendimento/lista/waiting-time.ts'
import type { RowSelection } from '#shared/selection/use-row-selection.ts'
import { SelectionFrame } from '#shared/selection/selection-frame.tsx'
import { Menu } from '#shared/ui/menu.tsx'
import { remindChoices } from './remind-times.ts'
import { countConversas, finishBatch, readBatch, remindBatch, tagBatch, transferBatch, useBatch } from './use-batch.ts'

const EtiquetaChoice = lazy(async () => ({
  default: (await import('#shared/selection/etiqueta-choice.tsx')).EtiquetaChoice,
}))
const TransferDialog = lazy(async () => ({
  default: (await import('#features/atendimento/acoes/transfer-dialog.tsx')).TransferDialog,
}))
const FinishDialog = lazy(async () => ({
  default: (await import('#features/atendimento/acoes/finish-dialog.tsx')).FinishDialog,
}))

/** The server takes at most so many in one request. */
const CONVERSAS_MAX = 100

type Question = 'etiquetar' | 'transferir' | 'finalizar'

const ACT_CLASS =
  'flex min-h-9 min-w-0 flex-auto flex-col items-center justify-center px-1 text-xs leading-4 font-semibold hover:bg-sunken'

function ActFace({ icon: Icon, text }: { readonly icon: LucideIcon; readonly text: string }) {
  return (
    <>
      <Icon size={18} aria-hidden />
      <span>{text}</span>
    </>
  )
}

interface BarActProps {
  readonly label: string
  readonly text?: string
  readonly icon: LucideIcon
  readonly refused: boolean
  readonly onClick: () => void
}

function BarAct({ label, text = label, icon, refused, onClick }: BarActProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-disabled={refused}
      className={clsx(ACT_CLASS, refused && 'opacity-60')}
      onClick={refused ? undefined : onClick}
    >
      <ActFace icon={icon} text={text} />
    </button>
  )
}

interface SelectionBarProps {
  readonly rows: RowSelection
  readonly conversas: readonly Conversa[]
  readonly setores: readonly Setor[]
}

interface BatchQuestionProps extends Pick<SelectionBarProps, 'setores'> {
  readonly question: Question | null
  readonly chosen: readonly Conversa[]
  readonly run: ReturnType<typeof useBatch>
  readonly onClose: () => void
}

function BatchQuestion({ question, chosen, setores, run, onClose }: BatchQuestionProps) {
  return (
    <Suspense>
      {question === 'etiquetar' && (
        <EtiquetaChoice
          title={`Etiquetas de ${countConversas(chosen.length)}`}
          acts={['adicionar', 'remover']}
          held={chosen.map(({ etiquetas = [] }) => etiquetas)}
          onChoose={(change) => void run(tagBatch(chosen, change))}
          onClose={onClose}
        />
      )}
      {question === 'transferir' && (
        <TransferDialog
          conversas={chosen}
          setores={setores}
          onClose={onClose}
          onChoose={(destination) => {
            onClose()
            void run(transferBatch(chosen, destination))
          }}
        />
      )}
      {question === 'finalizar' && (
        <FinishDialog conversas={chosen} onFinish={(how) => run(finishBatch(chosen, how))} onClose={onClose} />
      )}
    </Suspense>
  )
}

/** The acts on the chosen conversas, in place of search and views. */
export function SelectionBar({ rows, conversas, setores }: SelectionBarProps) {
  const [question, setQuestion] = useState<Question | null>(null)
  const run = useBatch(rows)
  const nowMs = useNow()
  const chosen = conversas.filter(({ id }) => rows.ids.has(id))
  const refused = chosen.length > CONVERSAS_MAX
  const reminders = remindChoices(nowMs).map(({ label, em }) => ({
    label,
    icon: <AlarmClock size={18} aria-hidden />,
    refusal: refused ? `O máximo é ${CONVERSAS_MAX} de uma vez.` : undefined,
    run: () => void run(remindBatch(chosen, em)),
  }))
  const ask = (which: Question) => (): void => setQuestion(which)
  return (
    <SelectionFrame
      rows={rows}
      label="Conversas selecionadas"
      count={chosen.length === 1 ? 'selecionada' : 'selecionadas'}
      max={CONVERSAS_MAX}
      listed={conversas.length}
      all="Selecionar as visíveis"
      className="border-b bg-brand-soft px-1"
    >
      <div className="flex">
        <BarAct label="Etiquetar" icon={Tag} refused={refused} onClick={ask('etiquetar')} />
        <BarAct label="Transferir" icon={ArrowLeftRight} refused={refused} onClick={ask('transferir')} />
        <BarAct label="Finalizar" icon={CircleCheck} refused={refused} onClick={ask('finalizar')} />
        <BarAct
          label="Marcar como lida"
          text="Lida"
          icon={MessageSquareText}
          refused={refused}
          onClick={() => void run(readBatch(chosen))}
        />
        <Menu
          label="Lembrar"
          className={ACT_CLASS}
          button={<ActFace icon={AlarmClock} text="Lembrar" />}
          items={reminders}
        />
      </div>
      <BatchQuestion {...{ question, chosen, setores, run }} onClose={() => setQuestion(null)} />
    </SelectionFrame>
  )
}
