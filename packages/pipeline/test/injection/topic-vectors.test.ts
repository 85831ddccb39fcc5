import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadTopics } from '../../src/injection/place-model.ts';
import type { TopicTable } from '../../src/injection/topic-vectors.ts';
import { addTopic, likeness, readTopics, writeTopics } from '../../src/injection/topic-vectors.ts';
import { hashOfWord } from '../../src/models/hash-words.ts';

describe('topics of words', () => {
  it('topic vectors are read as they were written, and a damaged file is refused', () => {
    const table: TopicTable = {
      dimensions: 2,
      words: Int32Array.from([7, -9]),
      vectors: Int8Array.from([1, -2, 127, -127]),
    };
    const bytes = writeTopics(table);
    assert.deepEqual(readTopics(bytes), table);
    assert.throws(() => readTopics(bytes.subarray(1)), RangeError);
    assert.throws(() => readTopics(bytes.subarray(0, bytes.length - 1)), RangeError);
  });

  it('topic vectors are similar for words of one subject', () => {
    const topics = loadTopics();
    const rows = new Map([...topics.words].map((word, row) => [word, row]));
    const topicOf = (text: string) => {
      const sum = new Float64Array(topics.dimensions);
      for (const word of text.split(' '))
        addTopic(topics, rows.get(hashOfWord(word)) as number, sum);
      return sum;
    };
    const bill = topicOf('payment money');
    const near = likeness(bill, topicOf('bank account'), 0, bill, -1);
    const far = likeness(bill, topicOf('moon song'), 0, bill, -1);
    assert.ok(near > far + 0.2, `${near} ${far}`);
  });

  it('topic vectors have a cosine of 1 with themselves and of 0 with nothing, and sums count', () => {
    const one = Float64Array.from([3, 4]);
    assert.equal(likeness(one, one, 0, one, -1), 1);
    assert.equal(likeness(one, new Float64Array(2), 0, one, -1), 0);
    assert.equal(
      likeness(one, Float64Array.from([9, 9, 3, 0]), 2, Float64Array.from([0, 4]), 0),
      1,
    );
  });
});
