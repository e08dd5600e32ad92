import { mayReadSetor, readerOf, mayReadLinha } from '@balcao/contract/conversa-access'
import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Atendente } from '@balcao/contract/entities/operador'
import { ChevronRight, UserRound } from 'lucide-react'
import { type ReactNode, type Ref, type RefObject, useEffect, useRef, useState } from 'react'
import { useAtendentes } from '#shared/conta/atendentes.ts'
import { useOnlineOperadores } from '#shared/data/presence.ts'
import { useUsuario } from '#shared/session.tsx'
import { useSetorWarning } from '#features/atendimento/setores/setor-warning.ts'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { Field } from '#shared/ui/field.tsx'
import { SetorDot } from '#shared/ui/setor-chip.tsx'

const MOTIVO_MAX = 500

/** `setor` null: the conversa keeps its setor. `atendente` null: the conversa waits in the setor. */
export interface TransferDestination {
  readonly setor: Setor | null
  readonly atendente: Atendente | null
  readonly motivo: string
}

interface TransferDialogProps {
  /** At least one. */
  readonly conversas: readonly Conversa[]
  readonly setores: readonly Setor[]
  readonly onChoose: (destination: TransferDestination) => void
  readonly onClose: () => void
}

export function TransferDialog({ conversas, setores, onChoose, onClose }: TransferDialogProps) {
  const [motivo, setMotivo] = useState('')
  // A destination transfers immediately, so the motivo is before it. On touch the focus goes to the first destination,
  // so that no keyboard covers it. Runs after the dialog opened.
  const said = useRef<HTMLTextAreaElement>(null)
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => (matchMedia('(pointer: fine)').matches ? said : first).current?.focus(), [])
  const [doubtful, setDoubtful] = useState<DoubtfulSetor | null>(null)
  const choose = (setor: Setor | null, atendente: Atendente | null): void => onChoose({ setor, atendente, motivo })
  const chooseSetor = (setor: Setor, warning: string | null): void => {
    if (warning === null || doubtful?.setor.id === setor.id) choose(setor, null)
    else setDoubtful({ setor, warning })
  }
  const active = setores.filter(({ ativo }) => ativo)
  const [only, another] = conversas
  const whom = another === undefined ? `a conversa com ${only?.cliente.nome ?? ''}` : `${conversas.length} conversas`
  return (
    <Dialog open title={`Transferir ${whom}`} onClose={onClose}>
      <div className="grid gap-4">
        <Field label="Motivo (opcional)" hint="Fica como nota na conversa. O cliente não vê.">
          {(link) => (
            <textarea
              {...link}
              ref={said}
              rows={2}
              maxLength={MOTIVO_MAX}
              className="field max-h-40 min-h-16 resize-none field-sizing-content"
              value={motivo}
              onChange={({ currentTarget }) => setMotivo(currentTarget.value)}
            />
          )}
        </Field>
        <SetorDestinations first={first} conversas={conversas} setores={active} onChoose={chooseSetor} />
        {doubtful !== null && (
          <DoubtNotice
            {...doubtful}
            onConfirm={() => choose(doubtful.setor, null)}
            onCancel={() => setDoubtful(null)}
          />
        )}
        <PersonDestinations conversas={conversas} setores={active} onChoose={choose} />
      </div>
    </Dialog>
  )
}

interface DoubtfulSetor {
  readonly setor: Setor
  readonly warning: string
}

interface DoubtNoticeProps extends DoubtfulSetor {
  readonly onConfirm: () => void
  readonly onCancel: () => void
}

const focusOnMount = (button: HTMLElement | null): void => button?.focus()

/** Asks before the customer waits in a setor where no person may answer. */
function DoubtNotice({ setor, warning, onConfirm, onCancel }: DoubtNoticeProps) {
  return (
    <div role="alert" className="grid gap-2 rounded-xl bg-warn-soft p-3 text-warn-ink">
      <p className="font-semibold">
        {setor.nome}: {warning} O cliente pode ficar sem resposta.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button ref={focusOnMount} className="min-h-11" onClick={onCancel}>
          Voltar
        </Button>
        <Button variant="danger" className="min-h-11" onClick={onConfirm}>
          Transferir assim mesmo
        </Button>
      </div>
    </div>
  )
}

interface SetorDestinationsProps extends Pick<TransferDialogProps, 'conversas' | 'setores'> {
  readonly first: RefObject<HTMLButtonElement | null>
  readonly onChoose: (setor: Setor, warning: string | null) => void
}

/** The conversa waits in the other setor and keeps its waiting time. The notice offers an undo. */
function SetorDestinations({ first, conversas, setores, onChoose }: SetorDestinationsProps) {
  const reader = readerOf(useUsuario())
  const warningOf = useSetorWarning()
  const destinations = setores.filter(({ id }) => conversas.some(({ setor }) => setor !== id))
  if (destinations.length === 0) {
    return <p className="text-muted">Não há outro setor ativo. Crie um nas configurações dos setores.</p>
  }
  return (
    <section aria-label="Para um setor">
      <p className="mb-2 text-muted">A conversa volta a aguardar no setor escolhido, sem perder o lugar na espera.</p>
      <ul className="grid gap-1.5">
        {destinations.map((setor, index) => (
          <Destination
            key={setor.id}
            ref={index === 0 ? first : undefined}
            icon={<SetorDot cor={setor.cor} className="size-3" />}
            name={setor.nome}
            note={mayReadSetor(reader, setor.id) ? undefined : 'Fora dos seus setores: a conversa sai da sua lista'}
            warning={warningOf(setor.id)}
            onChoose={() => onChoose(setor, warningOf(setor.id))}
          />
        ))}
      </ul>
    </section>
  )
}

interface PersonDestinationsProps extends Pick<TransferDialogProps, 'conversas' | 'setores'> {
  readonly onChoose: (setor: Setor | null, atendente: Atendente) => void
}

/** The person serves the conversa immediately, in its setor or in the first one that they serve. */
function PersonDestinations({ conversas, setores, onChoose }: PersonDestinationsProps) {
  const { id: myId } = useUsuario()
  const online = useOnlineOperadores()
  const people = useAtendentes().filter(
    (person) =>
      person.id !== myId &&
      conversas.some(({ operadorId }) => operadorId !== person.id) &&
      conversas.every(({ linha }) => mayReadLinha(person, linha?.id)),
  )
  const sorted = people.toSorted((a, b) => Number(online.has(b.id)) - Number(online.has(a.id)))
  if (sorted.length === 0) return null
  return (
    <section aria-label="Para uma pessoa">
      <p className="mb-2 text-muted">Ou entregue a uma pessoa, que passa a atender na hora.</p>
      <ul className="grid gap-1.5">
        {sorted.map((person) => {
          const stays = conversas.every(({ setor }) => mayReadSetor(person, setor))
          const setor = stays ? null : (setores.find(({ id }) => person.setores.includes(id)) ?? null)
          const notes = [
            online.has(person.id) ? 'Online' : 'Offline',
            ...(setor === null ? [] : [`vai para ${setor.nome}`]),
          ]
          return (
            <Destination
              key={person.id}
              icon={<UserRound size={18} aria-hidden className="text-muted" />}
              name={person.nome}
              note={notes.join(' · ')}
              onChoose={() => onChoose(setor, person)}
            />
          )
        })}
      </ul>
    </section>
  )
}

interface DestinationProps {
  readonly ref?: Ref<HTMLButtonElement> | undefined
  readonly icon: ReactNode
  readonly name: string
  readonly note: string | undefined
  readonly warning?: string | null
  readonly onChoose: () => void
}

function Destination({ ref, icon, name, note, warning = null, onChoose }: DestinationProps) {
  return (
    <li>
      <button
        ref={ref}
        type="button"
        onClick={onChoose}
        className="flex min-h-12 w-full items-center gap-3 rounded-xl border px-3 py-1.5 text-left font-semibold hover:bg-sunken"
      >
        {icon}
        <span className="min-w-0 flex-1">
          <span className="block truncate">{name}</span>
          {note !== undefined && <span className="block text-sm font-normal text-muted">{note}</span>}
          {warning !== null && <span className="block text-sm font-normal text-warn-ink">{warning}</span>}
        </span>
        <ChevronRight size={18} aria-hidden className="text-muted" />
      </button>
    </li>
  )
}
