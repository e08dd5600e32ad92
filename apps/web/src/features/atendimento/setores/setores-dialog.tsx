import { CORES_SETOR, type CorSetor } from '@balcao/contract/constants'
import type { Setor } from '@balcao/contract/entities/config'
import { atualizarSetorRoute, criarSetorRoute, removerSetorRoute } from '@balcao/contract/routes/atendimento-setores'
import { useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { type SubmitEvent, useId, useState } from 'react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { Button } from '#shared/ui/button.tsx'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { SetorDot } from './setor-chip.tsx'
import { SETORES_KEY } from '#features/atendimento/lista/use-conversas.ts'

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

function ColorChoice({ rotulo, cor, onMudar }: { rotulo: string; cor: CorSetor; onMudar: (color: CorSetor) => void }) {
  const nome = useId()
  return (
    <fieldset>
      <legend className="sr-only">{rotulo}</legend>
      <div className="flex flex-wrap">
        {CORES_SETOR.map((uma) => (
          <label key={uma} className="grid size-8 place-items-center" title={COLOR_NAME[uma]}>
            <input
              type="radio"
              name={nome}
              className="peer sr-only"
              checked={uma === cor}
              onChange={() => onMudar(uma)}
            />
            <span className="rounded-full border-2 border-transparent p-0.5 peer-checked:border-ink peer-focus-visible:outline-2">
              <SetorDot cor={uma} className="block size-5" />
            </span>
            <span className="sr-only">{COLOR_NAME[uma]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

interface SetorRowProps {
  readonly setor: Setor
  readonly onChange: (fields: { nome?: string; cor?: CorSetor }) => void
  readonly onRemove: () => void
}

function SetorRow({ setor, onChange: onMudar, onRemove }: SetorRowProps) {
  const [nome, setNome] = useState(setor.nome)
  const save = (): void => {
    const fresh = nome.trim()
    if (fresh === '') setNome(setor.nome)
    else if (fresh !== setor.nome) onMudar({ nome: fresh })
  }
  return (
    <li className="grid gap-1 border-b py-3">
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label={`Nome do setor ${setor.nome}`}
            maxLength={60}
            value={nome}
            onChange={({ currentTarget }) => setNome(currentTarget.value)}
            onBlur={save}
            onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
          />
        </div>
        {setor.id !== 'geral' && (
          <IconButton
            label={`Remover ${setor.nome}`}
            tooltip={false}
            className="!size-11"
            icon={<Trash2 size={18} aria-hidden />}
            onClick={onRemove}
          />
        )}
      </div>
      <ColorChoice rotulo={`Cor do setor ${setor.nome}`} cor={setor.cor} onMudar={(cor) => onMudar({ cor })} />
    </li>
  )
}

function NewSetor({ onCriar }: { onCriar: (nome: string, color: CorSetor) => Promise<boolean> }) {
  const [nome, setNome] = useState('')
  const [color, setCor] = useState<CorSetor>('blue')
  const [ocupado, setOcupado] = useState(false)
  const create = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (nome.trim() === '' || ocupado) return
    setOcupado(true)
    if (await onCriar(nome.trim(), color)) setNome('')
    setOcupado(false)
  }
  return (
    <form className="mt-4 grid gap-2" onSubmit={(event) => void create(event)}>
      <TextField
        label="Novo setor"
        maxLength={60}
        value={nome}
        onChange={({ currentTarget }) => setNome(currentTarget.value)}
      />
      <ColorChoice rotulo="Cor do novo setor" cor={color} onMudar={setCor} />
      <Button type="submit" variant="primary" className="min-h-11" busy={ocupado} disabled={nome.trim() === ''}>
        {!ocupado && <Plus size={18} aria-hidden />} Adicionar setor
      </Button>
    </form>
  )
}

type SetoresUpdate = (current: readonly Setor[]) => readonly Setor[]

export function SetoresDialog({ setores, onFechar }: { setores: readonly Setor[]; onFechar: () => void }) {
  const cliente = useQueryClient()
  const [removendo, setRemovendo] = useState<Setor | null>(null)
  // Applied to the current cache: another change may have completed meanwhile.
  const receive = (muda: SetoresUpdate): void => {
    cliente.setQueryData<readonly Setor[]>(SETORES_KEY, (current = setores) => muda(current))
    void cliente.invalidateQueries({ queryKey: QUERY_KEYS.config })
  }
  async function save(success: string, action: () => Promise<SetoresUpdate>): Promise<boolean> {
    try {
      receive(await action())
      notify.sucesso(success)
      return true
    } catch (error) {
      notify.erro(`Erro ao salvar setores: ${errorMessage(error)}`)
      return false
    }
  }
  const change = (id: string, fields: { nome?: string; cor?: CorSetor }): void =>
    void save('Setor atualizado com sucesso', async () => {
      const { setor } = await call(atualizarSetorRoute, { params: { id }, body: fields })
      return (current) => current.map((um) => (um.id === id ? setor : um))
    })
  const create = (nome: string, cor: CorSetor): Promise<boolean> =>
    save('Setor adicionado com sucesso', async () => {
      const { setor } = await call(criarSetorRoute, { body: { nome, cor } })
      return (current) => [...current, setor]
    })
  const remove = async ({ id }: Setor): Promise<void> => {
    await save('Setor removido com sucesso', async () => {
      const { setores: remaining } = await call(removerSetorRoute, { params: { id } })
      return () => remaining
    })
    void cliente.invalidateQueries({ queryKey: QUERY_KEYS.conversas })
  }
  return (
    <>
      <Dialog open title="Configurar setores" onClose={onFechar}>
        <ul>
          {setores.map((setor) => (
            <SetorRow
              key={`${setor.id} ${setor.nome}`}
              setor={setor}
              onChange={(fields) => change(setor.id, fields)}
              onRemove={() => setRemovendo(setor)}
            />
          ))}
        </ul>
        <NewSetor onCriar={create} />
      </Dialog>
      <ConfirmDialog
        open={removendo !== null}
        title={`Remover o setor ${removendo?.nome ?? ''}?`}
        confirmLabel="Remover"
        onConfirm={() => (removendo === null ? undefined : remove(removendo))}
        onClose={() => setRemovendo(null)}
      >
        As conversas e as opções do menu deste setor passam para o setor Geral.
      </ConfirmDialog>
    </>
  )
}
