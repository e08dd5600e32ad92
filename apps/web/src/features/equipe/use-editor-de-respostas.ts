import type { RespostaRapida } from '@balcao/contract/entities/resposta-rapida'
import { useState } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { mergeRespostas } from './juntar-respostas.ts'
import {
  openRespostasDraft,
  checkRespostas,
  putBackResposta,
  type RespostasErrors,
  respostasErrorsOf,
  closeRespostasDraft,
  isEqualTo,
  moveResposta,
  type RespostasDraft,
  rebaseDraft,
} from './rascunho-de-respostas.ts'
import { type LoadedRespostas, useRespostasServer } from './use-respostas.ts'

export const respostaFieldName = (key: string, field: 'atalho' | 'texto'): string => `${field}-${key}`

/** After the next frame: the line may not be mounted or moved yet. */
function focusField(chave: string, campo: 'atalho' | 'texto'): void {
  requestAnimationFrame(() => document.getElementsByName(respostaFieldName(chave, campo))[0]?.focus())
}

const NO_ERRORS: RespostasErrors = {}
const MERGED_TEXT = 'Respostas rápidas salvas, junto com o que outra pessoa salvou há pouco.'
const CHECK_TEXT = 'Outra pessoa também mudou estas respostas. Confira o que está marcado e salve de novo.'

/** Draft of the list with its actions. Server updates replace it only while it is unchanged. */
export function useRespostasEditor(loaded: LoadedRespostas) {
  const { gravar, lerDeNovo } = useRespostasServer()
  const [base, setBase] = useState(loaded)
  const [rascunho, setRascunho] = useState<RespostasDraft>(() => openRespostasDraft(loaded.respostas))
  const [faltas, setFaltas] = useState<RespostasErrors>(NO_ERRORS)
  const [salvando, setSalvando] = useState(false)
  const [anuncio, setAnuncio] = useState('')
  const alterado = !isEqualTo(rascunho, base.respostas)
  if (!alterado && !salvando && base !== loaded) {
    setBase(loaded)
    setRascunho(openRespostasDraft(loaded.respostas, rascunho))
  }
  const saida = useUnsavedGuard(alterado)

  const recusar = (novas: RespostasErrors, escrito = rascunho): boolean => {
    setFaltas(novas)
    const primeira = escrito.find(({ key }) => novas[key] !== undefined)
    if (primeira === undefined) return false
    focusField(primeira.key, novas[primeira.key]?.atalho === undefined ? 'texto' : 'atalho')
    return true
  }
  /** On a conflict it merges local edits into the new list and saves again, unless both changed the same line. */
  const enviar = async (escrito: RespostasDraft, sobre: LoadedRespostas, juntou = false): Promise<void> => {
    try {
      const salvas = await gravar(closeRespostasDraft(escrito), sobre.versao)
      setBase(salvas)
      setRascunho((atual) => rebaseDraft(atual, escrito, salvas.respostas))
      notify.sucesso(juntou ? MERGED_TEXT : 'Respostas rápidas salvas com sucesso!')
    } catch (erro) {
      if (!(erro instanceof ApiError) || erro.codigo !== 'conflito') throw erro
      const agora = await lerDeNovo()
      if (agora.versao === sobre.versao) throw erro
      const juntar = (um: RespostasDraft) => mergeRespostas(um, sobre.respostas, agora.respostas)
      const juntada = juntar(escrito)
      setBase(agora)
      setRascunho((atual) => (atual === escrito ? juntada.draft : juntar(atual).draft))
      if (!recusar({ ...checkRespostas(juntada.draft), ...juntada.errors }, juntada.draft)) {
        return await enviar(juntada.draft, agora, true)
      }
      notify.erro(CHECK_TEXT)
    }
  }
  const salvar = async (): Promise<void> => {
    if (salvando || !alterado || recusar(checkRespostas(rascunho))) return
    setSalvando(true)
    try {
      await enviar(rascunho, base)
    } catch (erro) {
      if (!(erro instanceof ApiError)) throw erro
      if (!recusar(respostasErrorsOf(rascunho, erro.dados.detalhes ?? []))) notify.erro(erro.message)
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
    anuncio,
    salvar,
    descartar: () => {
      setRascunho(openRespostasDraft(base.respostas))
      setFaltas(NO_ERRORS)
    },
    adicionar: () => {
      const chave = crypto.randomUUID()
      setRascunho([...rascunho, { key: chave, atalho: '', texto: '', before: null }])
      focusField(chave, 'atalho')
    },
    mudar: (chave: string, campos: Partial<RespostaRapida>) => {
      setRascunho(rascunho.map((uma) => (uma.key === chave ? { ...uma, ...campos } : uma)))
      const { [chave]: _resolvida, ...outras } = faltas
      setFaltas(outras)
    },
    mover: (chave: string, passo: -1 | 1) => {
      const movido = moveResposta(rascunho, chave, passo)
      setRascunho(movido)
      const posicao = movido.findIndex((uma) => uma.key === chave)
      setAnuncio(`/${movido[posicao]?.atalho ?? ''} na posição ${posicao + 1} de ${movido.length}`)
    },
    remover: (chave: string) => {
      const indice = rascunho.findIndex((uma) => uma.key === chave)
      const linha = rascunho[indice]
      if (linha === undefined) return
      setRascunho(rascunho.toSpliced(indice, 1))
      const vizinha = rascunho[indice + 1] ?? rascunho[indice - 1]
      if (vizinha !== undefined) focusField(vizinha.key, 'atalho')
      const nome = linha.atalho === '' ? 'Resposta' : `/${linha.atalho}`
      notify.sucesso(`${nome} removida. Salve para valer.`, {
        action: { label: 'Desfazer', run: () => setRascunho((atual) => putBackResposta(atual, linha, indice)) },
      })
    },
  }
}
