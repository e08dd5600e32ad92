import type { CorSetor } from '@balcao/contract/constants'
import { SETOR_GERAL } from '@balcao/contract/conversa-access'
import type { Setor } from '@balcao/contract/entities/config'
import { atualizarSetorRoute, criarSetorRoute, removerSetorRoute } from '@balcao/contract/routes/atendimento-setores'
import { useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { type KeyboardEvent, type SubmitEvent, useRef, useState } from 'react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { Button } from '#shared/ui/button.tsx'
import { ColorChoice } from '#shared/ui/color-choice.tsx'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { SETORES_KEY } from './use-setores.ts'

const NAME_MISSING = 'Nome do setor é obrigatório'

interface SetorRowProps {
  readonly setor: Setor
  readonly onChange: (fields: SetorFields) => Promise<boolean>
  readonly onRemove: () => void
}

/** Saves the name on blur. A blank name stays in the field with an error. Esc restores the stored name. */
function SetorName({ setor, onChange }: Omit<SetorRowProps, 'onRemove'>) {
  const [edited, setEdited] = useState<string | null>(null)
  const [left, setLeft] = useState(false)
  const nome = edited ?? setor.nome
  const blank = nome.trim() === ''
  const save = async (): Promise<void> => {
    setLeft(true)
    if (blank) return
    if (nome.trim() === setor.nome || (await onChange({ nome: nome.trim() }))) {
      setEdited((current) => (current === edited ? null : current))
    }
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Escape' && edited !== null) {
      // Keeps the dialog open.
      event.preventDefault()
      setEdited(null)
    }
    if (event.key !== 'Enter') return
    if (blank) setLeft(true)
    else event.currentTarget.blur()
  }
  return (
    <TextField
      label={`Nome do setor ${setor.nome}`}
      maxLength={60}
      value={nome}
      error={left && blank ? NAME_MISSING : undefined}
      onChange={({ currentTarget }) => {
        setEdited(currentTarget.value)
        setLeft(false)
      }}
      onBlur={() => void save()}
      onKeyDown={onKeyDown}
    />
  )
}

/** The setor Geral has none: it always takes customers. */
function SetorSwitch({ setor, onChange }: Omit<SetorRowProps, 'onRemove'>) {
  const [saving, setSaving] = useState<boolean | null>(null)
  const ativo = saving ?? setor.ativo
  const save = async (value: boolean): Promise<void> => {
    if (saving !== null) return
    setSaving(value)
    await onChange({ ativo: value })
    setSaving(null)
  }
  return (
    <Switch
      label={
        <>
          Ativo <span className="sr-only">(setor {setor.nome})</span>
        </>
      }
      on={ativo}
      onChange={(value) => void save(value)}
      hint={ativo ? undefined : 'Quem escolhe este setor vai para o Geral.'}
    />
  )
}

function SetorRow({ setor, onChange, onRemove }: SetorRowProps) {
  const isGeral = setor.id === SETOR_GERAL
  return (
    <li className="grid gap-1 border-b py-3">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <SetorName setor={setor} onChange={onChange} />
        </div>
        {!isGeral && (
          <IconButton
            label={`Remover ${setor.nome}`}
            tooltip={false}
            size="touch"
            icon={<Trash2 size={18} aria-hidden />}
            onClick={onRemove}
            className="mt-6"
          />
        )}
      </div>
      <ColorChoice label={`Cor do setor ${setor.nome}`} cor={setor.cor} onChange={(cor) => void onChange({ cor })} />
      {!isGeral && <SetorSwitch setor={setor} onChange={onChange} />}
    </li>
  )
}

function NewSetor({ onCreate }: { onCreate: SetorChanges['create'] }) {
  const [nome, setNome] = useState('')
  const [missing, setMissing] = useState(false)
  const [cor, setCor] = useState<CorSetor>('blue')
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const create = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (busy) return
    if (nome.trim() === '') {
      setMissing(true)
      field.current?.focus()
      return
    }
    setBusy(true)
    if (await onCreate(nome.trim(), cor)) setNome('')
    setBusy(false)
  }
  return (
    <form className="mt-4 grid gap-2" onSubmit={(event) => void create(event)}>
      <TextField
        ref={field}
        label="Novo setor"
        maxLength={60}
        value={nome}
        error={missing ? NAME_MISSING : undefined}
        onChange={({ currentTarget }) => {
          setNome(currentTarget.value)
          setMissing(false)
        }}
      />
      <ColorChoice label="Cor do novo setor" cor={cor} onChange={setCor} />
      <Button type="submit" variant="primary" size="touch" busy={busy}>
        {!busy && <Plus size={18} aria-hidden />} Adicionar setor
      </Button>
    </form>
  )
}

type SetorFields = Partial<Pick<Setor, 'nome' | 'cor' | 'ativo'>>
type SetoresUpdate = (current: readonly Setor[]) => readonly Setor[]

interface SetorChanges {
  readonly change: (id: string, fields: SetorFields) => Promise<boolean>
  readonly create: (nome: string, cor: CorSetor) => Promise<boolean>
  readonly remove: (setor: Setor) => Promise<void>
}

function useSetorChanges(setores: readonly Setor[]): SetorChanges {
  const client = useQueryClient()
  async function save(success: string, action: () => Promise<SetoresUpdate>): Promise<boolean> {
    try {
      const update = await action()
      // Applied to the current cache: another change may have completed meanwhile.
      client.setQueryData<readonly Setor[]>(SETORES_KEY, (current = setores) => update(current))
      void client.invalidateQueries({ queryKey: QUERY_KEYS.config })
      notify.sucesso(success)
      return true
    } catch (error) {
      notify.erro(`Erro ao salvar setores: ${errorMessage(error)}`)
      return false
    }
  }
  return {
    change: (id, fields) =>
      save('Setor atualizado com sucesso', async () => {
        const { setor } = await call(atualizarSetorRoute, { params: { id }, body: fields })
        return (current) => current.map((other) => (other.id === id ? setor : other))
      }),
    create: (nome, cor) =>
      save('Setor adicionado com sucesso', async () => {
        const { setor } = await call(criarSetorRoute, { body: { nome, cor } })
        return (current) => [...current, setor]
      }),
    remove: async ({ id }) => {
      await save('Setor removido com sucesso', async () => {
        const { setores: remaining } = await call(removerSetorRoute, { params: { id } })
        return () => remaining
      })
      void client.invalidateQueries({ queryKey: QUERY_KEYS.conversas })
    },
  }
}

export function SetoresDialog({ setores, onClose }: { setores: readonly Setor[]; onClose: () => void }) {
  const { change, create, remove } = useSetorChanges(setores)
  const [removing, setRemoving] = useState<Setor | null>(null)
  return (
    <>
      <Dialog open title="Configurar setores" onClose={onClose}>
        <ul>
          {setores.map((setor) => (
            <SetorRow
              key={setor.id}
              setor={setor}
              onChange={(fields) => change(setor.id, fields)}
              onRemove={() => setRemoving(setor)}
            />
          ))}
        </ul>
        <NewSetor onCreate={create} />
      </Dialog>
      <ConfirmDialog
        open={removing !== null}
        title={`Remover o setor ${removing?.nome ?? ''}?`}
        confirmLabel="Remover"
        onConfirm={() => (removing === null ? undefined : remove(removing))}
        onClose={() => setRemoving(null)}
      >
        As conversas abertas e as opções do menu deste setor passam para o setor Geral.
      </ConfirmDialog>
    </>
  )
}
