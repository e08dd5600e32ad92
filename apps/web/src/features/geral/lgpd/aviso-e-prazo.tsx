import { LINK_PRIVACIDADE, type Privacidade, RETENCAO } from '@balcao/contract/entities/lgpd'
import { useState, type FormEvent } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { restam } from '#shared/dados/restam.ts'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { Button } from '#shared/ui/button.tsx'
import { Field } from '#shared/ui/field.tsx'
import { SairSemSalvar } from '#shared/ui/sair-sem-salvar.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { usePrivacidade, useSalvarPrivacidade } from './consultas.ts'

export function AvisoEPrazo() {
  const { data, error, isPending, refetch } = usePrivacidade()
  return (
    <section aria-labelledby="lgpd-aviso" className="grid gap-3" aria-busy={isPending}>
      <h3 id="lgpd-aviso" className="font-bold">
        Aviso e prazo
      </h3>
      {isPending ? (
        <Skeleton className="h-56 w-full" />
      ) : data === undefined ? (
        <ErrorState mensagem={mensagemDe(error)} onTentar={() => void refetch()} />
      ) : (
        <Formulario guardada={data} />
      )}
    </section>
  )
}

interface Rascunho {
  readonly dias: string
  readonly texto: string
  readonly ativo: boolean
  readonly guardaLegal: boolean
}

const CAMPOS = ['dias', 'texto', 'ativo', 'guardaLegal'] as const

function toRascunho({ retencaoDias, guardaLegal, aviso }: Privacidade): Rascunho {
  return { dias: String(retencaoDias), guardaLegal, ...aviso }
}

function faltaEm(erro: Error | null, caminho: string): string | undefined {
  if (!(erro instanceof ApiError)) return undefined
  return erro.dados.detalhes?.find((detalhe) => detalhe.caminho === caminho)?.mensagem
}

function Formulario({ guardada }: { guardada: Privacidade }) {
  const inicial = toRascunho(guardada)
  const [edicoes, setEdicoes] = useState<Partial<Rascunho>>({})
  const rascunho: Rascunho = { ...inicial, ...edicoes }
  const salvar = useSalvarPrivacidade()
  const mudou = (campo: keyof Rascunho): boolean => rascunho[campo] !== inicial[campo]
  const alterado = CAMPOS.some(mudou)
  const guarda = useUnsavedGuard(alterado)
  const mudar = (campos: Partial<Rascunho>): void => {
    salvar.reset()
    setEdicoes((antes) => ({ ...antes, ...campos }))
  }

  async function enviar(evento: FormEvent): Promise<void> {
    evento.preventDefault()
    if (!alterado || salvar.isPending) return
    const { dias, texto, ativo, guardaLegal } = rascunho
    try {
      // Sends only the changed fields, so that changes from another window are kept.
      await salvar.mutateAsync({
        ...(mudou('dias') ? { retencaoDias: Number(dias) } : {}),
        ...(mudou('guardaLegal') ? { guardaLegal } : {}),
        aviso: { ...(mudou('ativo') ? { ativo } : {}), ...(mudou('texto') ? { texto } : {}) },
      })
      setEdicoes((agora) => restam(agora, edicoes))
      avisar.sucesso('Privacidade salva.')
    } catch (erro) {
      if (!(erro instanceof ApiError) || erro.dados.detalhes === undefined) avisar.erro(mensagemDe(erro))
    }
  }

  return (
    <form noValidate onSubmit={(evento) => void enviar(evento)} className="grid gap-5">
      <Switch
        rotulo="Avisar sobre privacidade no primeiro contato"
        dica="Uma vez por cliente, logo depois da saudação, com o link da política de privacidade."
        ligado={rascunho.ativo}
        onMudar={(ativo) => mudar({ ativo })}
      />
      <Field
        rotulo="Texto do aviso"
        erro={faltaEm(salvar.error, 'aviso.texto')}
        dica={
          <>
            <code>{LINK_PRIVACIDADE}</code> vira o link da política; <code>{'{empresa}'}</code>, o nome da empresa. Quem
            escrever PARAR não recebe mais mensagens automáticas até escrever VOLTAR.
          </>
        }
      >
        {(ligacao) => (
          <textarea
            {...ligacao}
            rows={3}
            maxLength={1000}
            className="field"
            value={rascunho.texto}
            onChange={({ currentTarget }) => mudar({ texto: currentTarget.value })}
          />
        )}
      </Field>
      <div className="max-w-sm">
        <TextField
          rotulo="Guardar conversas por quantos dias"
          inputMode="numeric"
          autoComplete="off"
          value={rascunho.dias}
          erro={faltaEm(salvar.error, 'retencaoDias')}
          dica={`De ${RETENCAO.minimo} a ${RETENCAO.maximo}. O que for mais antigo é apagado sozinho.`}
          onChange={({ currentTarget }) => mudar({ dias: currentTarget.value.replace(/\D/g, '').slice(0, 4) })}
        />
      </div>
      <Switch
        rotulo="Guarda legal"
        dica="Ligue só se a Justiça ou uma autoridade mandar preservar tudo: enquanto estiver ligada, nada é apagado, nem a pedido."
        ligado={rascunho.guardaLegal}
        onMudar={(guardaLegal) => mudar({ guardaLegal })}
      />
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variante="primary"
          className="min-h-11"
          disabled={!alterado}
          ocupado={salvar.isPending}
          aria-label="Salvar a privacidade"
        >
          {salvar.isPending ? 'Salvando…' : 'Salvar'}
        </Button>
        {alterado && (
          <Button
            variante="ghost"
            className="min-h-11"
            onClick={() => {
              salvar.reset()
              setEdicoes({})
            }}
          >
            Descartar
          </Button>
        )}
      </div>
      <SairSemSalvar guarda={guarda}>O aviso e o prazo de privacidade ainda não foram salvos.</SairSemSalvar>
    </form>
  )
}
