import '#patches/index.ts'
import { proto } from 'baileys'
import { describe, expect, it } from 'vitest'
import { readChange } from '#inbound/message.ts'
import { slowTexts } from '@balcao/contract/testing/hostile-texts'
import { readContent } from '#inbound/content.ts'

const parsed = (mensagem: proto.IMessage) => readContent(proto.Message.decode(proto.Message.encode(mensagem).finish()))

const enquete = { name: 'Qual cor?', options: [{ optionName: 'Azul' }, { optionName: 'Rosa' }] }
const request = {
  orderTitle: 'Maria',
  itemCount: 2,
  totalAmount1000: 59_900,
  totalCurrencyCode: 'BRL',
  message: 'Pode ser hoje?',
}

describe('readContent', () => {
  it.each<[string, proto.IMessage, string]>([
    ['plain text', { conversation: 'oi' }, 'oi'],
    ['text with formatting or a link', { extendedTextMessage: { text: '*oi* https://a.test' } }, '*oi* https://a.test'],
    ['a disappearing message', { ephemeralMessage: { message: { conversation: 'oi' } } }, 'oi'],
    ['a message from another device', { deviceSentMessage: { message: { conversation: 'oi' } } }, 'oi'],
    ['a choice from a list', { listResponseMessage: { title: 'Rosas' } }, 'Rosas'],
    ['an answer to a form', { interactiveResponseMessage: { body: { text: 'Amanhã' } } }, 'Amanhã'],
    ['a poll', { pollCreationMessageV3: enquete }, 'Enquete: Qual cor?\n• Azul\n• Rosa'],
    [
      'a poll in its newest wrapper',
      { pollCreationMessageV4: { message: { pollCreationMessageV3: enquete } } },
      'Enquete: Qual cor?\n• Azul\n• Rosa',
    ],
    [
      'an order',
      { orderMessage: request },
      'Pedido pelo catálogo do WhatsApp\nMaria\n2 itens · R$\u00a059,90\nPode ser hoje?',
    ],
    ['a product', { productMessage: { product: { title: 'Vaso' }, body: 'tem?' } }, 'Produto do catálogo: Vaso\ntem?'],
    [
      'a group invitation',
      { groupInviteMessage: { groupName: 'Vizinhos', caption: 'venha' } },
      'Convite para o grupo Vizinhos\nvenha',
    ],
    ['an event', { eventMessage: { name: 'Feira', description: 'às 9h' } }, 'Evento: Feira\nàs 9h'],
    [
      'a payment',
      { sendPaymentMessage: { noteMessage: { conversation: 'o vaso' } } },
      'Pagamento pelo WhatsApp\no vaso',
    ],
    [
      'a business template',
      { templateMessage: { hydratedTemplate: { hydratedContentText: 'Seu pedido saiu' } } },
      'Seu pedido saiu',
    ],
    [
      'a message with buttons',
      { interactiveMessage: { body: { text: 'Escolha' }, footer: { text: 'Loja' } } },
      'Escolha\nLoja',
    ],
    ['a pressed button', { buttonsResponseMessage: { selectedDisplayText: 'Sim' } }, 'Sim'],
  ])('reads %s as text', (_nome, mensagem, texto) => {
    expect(parsed(mensagem)).toEqual({ tipo: 'texto', texto })
  })

  it('reads a file with caption, name, type and size', () => {
    expect(parsed({ imageMessage: { caption: 'o vaso', mimetype: 'image/jpeg', fileLength: 1234 } })).toEqual({
      tipo: 'texto',
      texto: 'o vaso',
      midia: { tipo: 'imagem', mimeType: 'image/jpeg', tamanhoBytes: 1234 },
    })
    expect(parsed({ documentMessage: { fileName: 'pedido.pdf', mimetype: 'application/pdf' } })).toMatchObject({
      texto: '',
      midia: { tipo: 'documento', nomeArquivo: 'pedido.pdf' },
    })
    expect(parsed({ audioMessage: { mimetype: 'audio/ogg', ptt: true } })).toMatchObject({ midia: { tipo: 'audio' } })
    expect(parsed({ stickerMessage: {} })).toMatchObject({ midia: { tipo: 'figurinha' } })
    expect(parsed({ viewOnceMessageV2: { message: { videoMessage: {} } } })).toMatchObject({ midia: { tipo: 'video' } })
  })

  it('reads an animated sticker and a picture of an album', () => {
    const album = { associatedChildMessage: { message: { imageMessage: { caption: '1' } } } }
    expect(parsed(album)).toMatchObject({ texto: '1', midia: { tipo: 'imagem' } })
    expect(parsed({ lottieStickerMessage: { message: { stickerMessage: {} } } })).toMatchObject({
      midia: { tipo: 'figurinha' },
    })
  })

  it('shows a placeholder for an unknown type', () => {
    expect(parsed({ requestPhoneNumberMessage: {} })).toEqual({
      ...{ tipo: 'texto', midia: { tipo: 'outro' } },
      texto: 'Mensagem que não aparece aqui. Abra o WhatsApp no celular para ver.',
    })
  })

  it('reads a live location and a place without coordinates', () => {
    const endereco = { degreesLatitude: 1, degreesLongitude: 2, address: 'Rua A, 5' }
    expect(parsed({ locationMessage: endereco })).toMatchObject({ texto: 'Rua A, 5\nhttps://maps.google.com/?q=1,2' })
    expect(parsed({ liveLocationMessage: { caption: 'indo' } })).toMatchObject({
      texto: 'indo\nhttps://maps.google.com/?q=0,0',
    })
  })

  it('reads a place with its map link', () => {
    expect(parsed({ locationMessage: { degreesLatitude: -23.5, degreesLongitude: -46.6, name: 'Loja' } })).toEqual({
      tipo: 'texto',
      texto: 'Loja\nhttps://maps.google.com/?q=-23.5,-46.6',
      midia: { tipo: 'localizacao' },
    })
  })

  it('reads a contact card with its numbers', () => {
    const vcard = 'BEGIN:VCARD\nFN:Rosa\nTEL;type=CELL;waid=5511999:+55 11 99900-0000\nEND:VCARD'
    expect(parsed({ contactMessage: { displayName: 'Rosa', vcard } })).toMatchObject({
      texto: 'Rosa · +55 11 99900-0000',
      midia: { tipo: 'contato' },
    })
  })

  it('marks a message as edited when the new text is encrypted for the phone', () => {
    const encrypted = { targetMessageKey: { id: '3A1' }, secretEncType: 2, encPayload: Buffer.from('x') }
    expect(readChange(proto.Message.fromObject({ secretEncryptedMessage: encrypted }))).toEqual({
      alvo: '3A1',
      mudanca: { tipo: 'edicao', texto: 'Mensagem editada. Abra o WhatsApp no celular para ver.' },
    })
  })

  it('ignores messages between devices', () => {
    expect(parsed({ protocolMessage: { type: proto.Message.ProtocolMessage.Type.EPHEMERAL_SETTING } })).toEqual({
      tipo: 'nada',
    })
    const silenciosas: proto.IMessage[] = [
      { senderKeyDistributionMessage: {} },
      { albumMessage: { expectedImageCount: 2 } },
      { pollUpdateMessage: {}, messageContextInfo: {} },
      { pinInChatMessage: {} },
    ]
    for (const mensagem of silenciosas) expect(parsed(mensagem)).toEqual({ tipo: 'nada' })
    expect(readContent(null)).toEqual({ tipo: 'nada' })
  })

  it('reads a hostile contact card and a hostile text in linear time', () => {
    expect(slowTexts((vcard) => readContent({ contactMessage: { displayName: 'Ana', vcard } }))).toEqual([])
    expect(slowTexts((conversation) => readContent({ conversation }))).toEqual([])
  })
})
