import type { BotContext } from '@balcao/engine/context'
import type { Contexto } from './contextos.ts'

const contextosDoMotor = new WeakMap<Contexto, BotContext>()

export function toBotContext(contexto: Contexto): BotContext {
  const feito = contextosDoMotor.get(contexto)
  if (feito !== undefined) return feito
  const { config, empresa, iaLeMidia, aviso } = contexto
  const novo: BotContext = {
    config,
    empresa,
    iaDisponivel: config.ia.ativa && config.gemini.apiKey !== '',
    iaLeMidia,
    ...(aviso === null ? {} : { avisoPrivacidade: aviso.texto }),
    produtos: contexto.produtos.map(({ id, nome, descricao, preco, linkCheckout, imagemUrl }) => ({
      id,
      nome,
      descricao,
      preco,
      ...(linkCheckout === '' ? {} : { linkCheckout }),
      ...(imagemUrl === null ? {} : { imagemUrl }),
    })),
  }
  contextosDoMotor.set(contexto, novo)
  return novo
}
