import { CORES_SETOR, type CorSetor } from '@balcao/contract/constants'
import type { Setor } from '@balcao/contract/entities/config'
import { atualizarSetorRoute, criarSetorRoute, removerSetorRoute } from '@balcao/contract/routes/atendimento-setores'
import { useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { type SubmitEvent, useId, useState } from 'react'
import { call } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { CHAVES } from '#shared/dados/chaves.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { Button } from '#shared/ui/button.tsx'
import { Confirmar } from '#shared/ui/confirmar.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { Ponto } from './cores.tsx'
import { CHAVE_SETORES } from './dados.ts'

const NOME_DA_COR: Readonly<Record<CorSetor, string>> = {
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

function Cores({ rotulo, cor, onMudar }: { rotulo: string; cor: CorSetor; onMudar: (cor: CorSetor) => void }) {
  const nome = useId()
  return (
    <fieldset>
      <legend className="sr-only">{rotulo}</legend>
      <div className="flex flex-wrap">
        {CORES_SETOR.map((uma) => (
          <label key={uma} className="grid size-8 place-items-center" title={NOME_DA_COR[uma]}>
            <input
              type="radio"
              name={nome}
              className="peer sr-only"
              checked={uma === cor}
              onChange={() => onMudar(uma)}
            />
            <span className="rounded-full border-2 border-transparent p-0.5 peer-checked:border-ink peer-focus-visible:outline-2">
              <Ponto cor={uma} className="block size-5" />
            </span>
            <span className="sr-only">{NOME_DA_COR[uma]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

interface LinhaProps {
  readonly setor: Setor
  readonly onMudar: (campos: { nome?: string; cor?: CorSetor }) => void
  readonly onRemover: () => void
}

function Linha({ setor, onMudar, onRemover }: LinhaProps) {
  const [nome, setNome] = useState(setor.nome)
  const salvar = (): void => {
    const novo = nome.trim()
    if (novo === '') setNome(setor.nome)
    else if (novo !== setor.nome) onMudar({ nome: novo })
  }
  return (
    <li className="grid gap-1 border-b py-3">
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            rotulo={`Nome do setor ${setor.nome}`}
            maxLength={60}
            value={nome}
            onChange={({ currentTarget }) => setNome(currentTarget.value)}
            onBlur={salvar}
            onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
          />
        </div>
        {setor.id !== 'geral' && (
          <IconButton
            rotulo={`Remover ${setor.nome}`}
            dica={false}
            className="!size-11"
            icone={<Trash2 size={18} aria-hidden />}
            onClick={onRemover}
          />
        )}
      </div>
      <Cores rotulo={`Cor do setor ${setor.nome}`} cor={setor.cor} onMudar={(cor) => onMudar({ cor })} />
    </li>
  )
}

function Novo({ onCriar }: { onCriar: (nome: string, cor: CorSetor) => Promise<boolean> }) {
  const [nome, setNome] = useState('')
  const [cor, setCor] = useState<CorSetor>('blue')
  const [ocupado, setOcupado] = useState(false)
  const criar = async (evento: SubmitEvent): Promise<void> => {
    evento.preventDefault()
    if (nome.trim() === '' || ocupado) return
    setOcupado(true)
    if (await onCriar(nome.trim(), cor)) setNome('')
    setOcupado(false)
  }
  return (
    <form className="mt-4 grid gap-2" onSubmit={(evento) => void criar(evento)}>
      <TextField
        rotulo="Novo setor"
        maxLength={60}
        value={nome}
        onChange={({ currentTarget }) => setNome(currentTarget.value)}
      />
      <Cores rotulo="Cor do novo setor" cor={cor} onMudar={setCor} />
      <Button type="submit" variante="primary" className="min-h-11" ocupado={ocupado} disabled={nome.trim() === ''}>
        {!ocupado && <Plus size={18} aria-hidden />} Adicionar setor
      </Button>
    </form>
  )
}

type Muda = (atuais: readonly Setor[]) => readonly Setor[]

export function Setores({ setores, onFechar }: { setores: readonly Setor[]; onFechar: () => void }) {
  const cliente = useQueryClient()
  const [removendo, setRemovendo] = useState<Setor | null>(null)
  // Applied to the current cache: another change may have completed meanwhile.
  const receber = (muda: Muda): void => {
    cliente.setQueryData<readonly Setor[]>(CHAVE_SETORES, (atuais = setores) => muda(atuais))
    void cliente.invalidateQueries({ queryKey: CHAVES.config })
  }
  async function salvar(sucesso: string, acao: () => Promise<Muda>): Promise<boolean> {
    try {
      receber(await acao())
      avisar.sucesso(sucesso)
      return true
    } catch (erro) {
      avisar.erro(`Erro ao salvar setores: ${mensagemDe(erro)}`)
      return false
    }
  }
  const mudar = (id: string, campos: { nome?: string; cor?: CorSetor }): void =>
    void salvar('Setor atualizado com sucesso', async () => {
      const { setor } = await call(atualizarSetorRoute, { params: { id }, body: campos })
      return (atuais) => atuais.map((um) => (um.id === id ? setor : um))
    })
  const criar = (nome: string, cor: CorSetor): Promise<boolean> =>
    salvar('Setor adicionado com sucesso', async () => {
      const { setor } = await call(criarSetorRoute, { body: { nome, cor } })
      return (atuais) => [...atuais, setor]
    })
  const remover = async ({ id }: Setor): Promise<void> => {
    await salvar('Setor removido com sucesso', async () => {
      const { setores: restantes } = await call(removerSetorRoute, { params: { id } })
      return () => restantes
    })
    void cliente.invalidateQueries({ queryKey: CHAVES.conversas })
  }
  return (
    <>
      <Dialog aberto titulo="Configurar setores" onFechar={onFechar}>
        <ul>
          {setores.map((setor) => (
            <Linha
              key={`${setor.id} ${setor.nome}`}
              setor={setor}
              onMudar={(campos) => mudar(setor.id, campos)}
              onRemover={() => setRemovendo(setor)}
            />
          ))}
        </ul>
        <Novo onCriar={criar} />
      </Dialog>
      <Confirmar
        aberto={removendo !== null}
        titulo={`Remover o setor ${removendo?.nome ?? ''}?`}
        confirmar="Remover"
        onConfirmar={() => (removendo === null ? undefined : remover(removendo))}
        onFechar={() => setRemovendo(null)}
      >
        As conversas e as opções do menu deste setor passam para o setor Geral.
      </Confirmar>
    </>
  )
}
