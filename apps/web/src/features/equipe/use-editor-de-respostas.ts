import type { RespostaRapida } from '@balcao/contract/entities/resposta-rapida'
import { useState } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import {
  abrirRascunho,
  conferirRespostas,
  devolver,
  type Faltas,
  faltasDoServidor,
  fecharRascunho,
  igualA,
  mover,
  type Rascunho,
} from './rascunho-de-respostas.ts'
import { useSalvarRespostas } from './use-respostas.ts'

/** The field of a line, for the focus. */
export const nomeDoCampo = (chave: string, campo: 'atalho' | 'texto'): string => `${campo}-${chave}`

/** After the next paint: the line may be about to appear, or to move. */
function focar(chave: string, campo: 'atalho' | 'texto'): void {
  requestAnimationFrame(() => document.getElementsByName(nomeDoCampo(chave, campo))[0]?.focus())
}

const SEM_FALTAS: Faltas = {}

/** The draft of the list and what can be done to it. What the server has changes under it only while nothing was changed here. */
export function useEditorDeRespostas(respostas: readonly RespostaRapida[]) {
  const salvarNoServidor = useSalvarRespostas()
  const [base, setBase] = useState(respostas)
  const [rascunho, setRascunho] = useState<Rascunho>(() => abrirRascunho(respostas))
  const [faltas, setFaltas] = useState<Faltas>(SEM_FALTAS)
  const [salvando, setSalvando] = useState(false)
  const [anuncio, setAnuncio] = useState('')
  const alterado = !igualA(rascunho, base)
  if (!alterado && base !== respostas) {
    setBase(respostas)
    setRascunho(abrirRascunho(respostas, rascunho))
  }
  const saida = useUnsavedGuard(alterado)

  const recusar = (novas: Faltas): boolean => {
    setFaltas(novas)
    const primeira = rascunho.find(({ chave }) => novas[chave] !== undefined)
    if (primeira === undefined) return false
    focar(primeira.chave, novas[primeira.chave]?.atalho === undefined ? 'texto' : 'atalho')
    return true
  }
  const salvar = async (): Promise<void> => {
    if (salvando || !alterado || recusar(conferirRespostas(rascunho))) return
    setSalvando(true)
    try {
      const salvas = await salvarNoServidor(fecharRascunho(rascunho))
      setBase(salvas)
      // What was written while it was being saved stays, to be saved next.
      setRascunho((atual) => (atual === rascunho ? abrirRascunho(salvas, rascunho) : atual))
      avisar.sucesso('Respostas rápidas salvas com sucesso!')
    } catch (erro) {
      if (!(erro instanceof ApiError)) throw erro
      if (!recusar(faltasDoServidor(rascunho, erro.dados.detalhes ?? []))) avisar.erro(erro.message)
    } finally {
      setSalvando(false)
    }
  }
  useHotkeys({ '$mod+s': () => void salvar() })

  return {
    rascunho,
    faltas,
    alterado,
    salvando,
    saida,
    /** Told to who does not see the list move. */
    anuncio,
    salvar,
    descartar: () => {
      setRascunho(abrirRascunho(base))
      setFaltas(SEM_FALTAS)
    },
    adicionar: () => {
      const chave = crypto.randomUUID()
      setRascunho([...rascunho, { chave, atalho: '', texto: '' }])
      focar(chave, 'atalho')
    },
    mudar: (chave: string, campos: Partial<RespostaRapida>) => {
      setRascunho(rascunho.map((uma) => (uma.chave === chave ? { ...uma, ...campos } : uma)))
      const { [chave]: _resolvida, ...outras } = faltas
      setFaltas(outras)
    },
    mover: (chave: string, passo: -1 | 1) => {
      const movido = mover(rascunho, chave, passo)
      setRascunho(movido)
      const posicao = movido.findIndex((uma) => uma.chave === chave)
      setAnuncio(`/${movido[posicao]?.atalho ?? ''} na posição ${posicao + 1} de ${movido.length}`)
    },
    remover: (chave: string) => {
      const indice = rascunho.findIndex((uma) => uma.chave === chave)
      const linha = rascunho[indice]
      if (linha === undefined) return
      setRascunho(rascunho.toSpliced(indice, 1))
      const vizinha = rascunho[indice + 1] ?? rascunho[indice - 1]
      if (vizinha !== undefined) focar(vizinha.chave, 'atalho')
      const nome = linha.atalho === '' ? 'Resposta' : `/${linha.atalho}`
      avisar.sucesso(`${nome} removida. Salve para valer.`, {
        acao: { rotulo: 'Desfazer', fazer: () => setRascunho((atual) => devolver(atual, linha, indice)) },
      })
    },
  }
}
